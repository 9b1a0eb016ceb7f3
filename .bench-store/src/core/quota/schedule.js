/** The schedule, or what is wrong with the text. */
export function parseSchedule(text) {
    const parts = text.trim().split(' ').filter(Boolean);
    if (text.length > LONGEST || parts.length !== FIELDS.length) {
        return `must be five fields 'minute hour day month weekday', such as '0 6 * * *'`;
    }
    const sets = [];
    for (const [index, field] of FIELDS.entries()) {
        const set = parseField(parts[index] ?? '', field);
        if (!set)
            return `has a bad ${field.name}: use *, numbers from ${field.least} to ${field.most}, a-b, a,b or */n`;
        sets.push(set);
    }
    const [minutes = NONE, hours = NONE, days = NONE, months = NONE, given = NONE] = sets;
    const weekdays = new Set([...given].map((day) => day % 7));
    const times = [...hours].flatMap((hour) => [...minutes].map((minute) => (hour * 60 + minute) * MINUTE));
    times.sort((a, b) => a - b);
    const schedule = { text: parts.join(' '), minutes, hours, days, months, weekdays, times };
    return firstFiring(schedule, LEAP_YEAR) === undefined ? 'names a day that no month has' : schedule;
}
/** The first firing at `from` or later. */
export function firstFiring(schedule, from) {
    for (let day = Math.floor(from / DAY) * DAY; day <= from + HORIZON; day += DAY) {
        if (!firesOn(schedule, new Date(day)))
            continue;
        const time = schedule.times.find((time) => day + time >= from);
        if (time !== undefined)
            return day + time;
    }
    return undefined;
}
/**
 * Whether the schedule fires at least once in every window of this length. Only such windows can take their boundaries
 * from it: a daily schedule says when a day begins, and nothing about minutes.
 */
export function paces(schedule, window) {
    const { minutes, hours, days, months, weekdays } = schedule;
    const everyMonth = months.size === 12;
    const everyDay = everyMonth && days.size === 31 && weekdays.size === 7;
    const everyHour = everyDay && hours.size === 24;
    switch (window) {
        case 'month':
            return everyMonth && (weekdays.size < 7 ? days.size === 31 : Math.min(...days) <= 28);
        case 'day':
            return everyDay;
        case 'hour':
            return everyHour;
        case 'minute':
            return everyHour && minutes.size === 60;
        default:
            return false;
    }
}
const MINUTE = 60_000;
const DAY = 86_400_000;
const LEAP_YEAR = Date.UTC(2028, 0, 1);
/** A 29 February may be eight years away. */
const HORIZON = 9 * 366 * DAY;
const LONGEST = 256;
const NONE = new Set();
const FIELDS = [
    { name: 'minute', least: 0, most: 59 },
    { name: 'hour', least: 0, most: 23 },
    { name: 'day', least: 1, most: 31 },
    { name: 'month', least: 1, most: 12 },
    { name: 'weekday', least: 0, most: 7 },
];
function parseField(text, field) {
    const set = new Set();
    for (const part of text.split(',')) {
        const [range = '', step = '1', ...more] = part.split('/');
        const [from, to] = parseRange(range, field, part !== range);
        const by = wholeNumber(step);
        if (more.length > 0 || !(by >= 1) || !(from >= field.least) || !(to <= field.most) || !(from <= to))
            return undefined;
        for (let value = from; value <= to; value += by)
            set.add(value);
    }
    return set;
}
/** With a step, a single number means from there on. `NaN` for what is no number fails every comparison above. */
function parseRange(range, { least, most }, stepped) {
    if (range === '*')
        return [least, most];
    const [from = '', to, ...more] = range.split('-');
    if (more.length > 0)
        return [Number.NaN, Number.NaN];
    const first = wholeNumber(from);
    if (to !== undefined)
        return [first, wholeNumber(to)];
    return [first, stepped ? most : first];
}
function wholeNumber(text) {
    return /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
}
/** As cron has it: when both the day and the weekday are restricted, either will do. */
function firesOn({ days, months, weekdays }, date) {
    if (!months.has(date.getUTCMonth() + 1))
        return false;
    const onDay = days.has(date.getUTCDate());
    const onWeekday = weekdays.has(date.getUTCDay());
    return days.size < 31 && weekdays.size < 7 ? onDay || onWeekday : onDay && onWeekday;
}
