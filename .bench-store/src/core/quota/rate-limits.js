/** RATE-08: what each quota metric measures, and over which window. */
export const METRICS = {
    requests_per_minute: { unit: 'requests', window: 'minute' },
    requests_per_hour: { unit: 'requests', window: 'hour' },
    requests_per_day: { unit: 'requests', window: 'day' },
    tokens_per_minute: { unit: 'tokens', window: 'minute' },
    tokens_per_hour: { unit: 'tokens', window: 'hour' },
    tokens_per_day: { unit: 'tokens', window: 'day' },
    cost_per_hour: { unit: 'cost', window: 'hour' },
    cost_per_day: { unit: 'cost', window: 'day' },
    cost_per_month: { unit: 'cost', window: 'month' },
};
export const PERSISTENCE = ['memory', 'file', 'database'];
