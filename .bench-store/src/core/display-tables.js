/**
 * What `display()` knows about characters, as data. Nothing here is taken on trust from the sender: a character that no
 * row names falls to the general rules of display-character.ts.
 */
// biome-ignore format: a table reads by columns
export const ALIKE = [
    // The alphabets of Russian, Ukrainian, Serbian, Macedonian, Bulgarian: the classic of forged names.
    { script: 'Cyrillic', inProse: true, letters: 'асеорхуіјѕАВЕКМНОРСТХУІЈЅЗГПФєёїЁЇ', like: 'aceopxyijsABEKMHOPCTXYIJS3ΓΠΦεëïËÏ' },
    { script: 'Cyrillic', inProse: false, letters: 'ԁһԛԝӏӀѵѡԌԍүҮѲѳӨөԜԚѴҽ', like: 'dhqwlIvwGgyYOoOoWQVe' },
    { script: 'Greek', inProse: true, letters: 'ονραικυγτχηωςεόάίύΑΒΕΖΗΙΚΜΝΟΡΤΥΧΓΠΦ', like: 'ovpaikuytxnwcєóáíúABEZHIKMNOPTYXГПФ' },
    { script: 'Greek', inProse: false, letters: 'ϳͿ', like: 'jJ' },
    { script: 'Armenian', inProse: true, letters: 'օսհոցյզքՏԼՍՕնոպլձճ', like: 'ouhngjqfSLUOuunlaf' },
    { script: 'Cherokee', inProse: true, letters: 'ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᏔᎩᏃᏎᏮᎥᏀᎵ', like: 'ABCDEHJKLMPRSTVWYZ46iGP' },
    { script: 'Coptic', inProse: false, letters: 'ⲞⲟⲢⲣⲤⲥⲬⲭⲒⲓⲔⲘⲚⲦⲨⲀⲂⲈⲎ', like: 'OoPpCcXxIiKMNTYABEH' },
    { script: 'Lisu', inProse: true, letters: 'ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', like: 'BPdDTGKJCZFMNLSRVHWXYAEIOU' },
    { script: 'Canadian_Aboriginal', inProse: true, letters: 'ᑭᗞᗪᖇᐯᑌᗷᗩᕼᒍᒪ᙭ᗅᑯᑲᐃᒿ', like: 'PDDRVUBAHJLXAdbA2' },
    { script: 'Tifinagh', inProse: true, letters: 'ⵔⵏⵝⴹⵉⵅ', like: 'OlXEIX' },
    { script: 'Runic', inProse: true, letters: 'ᛁᚷᚱᛒᛖᛕᚲ', like: 'IXRBMKC' },
    { script: 'Deseret', inProse: false, letters: '𐐄𐐬𐐕𐐛𐐠𐐽𐑈', like: 'OoCLSci' },
    { script: 'Hebrew', inProse: true, letters: 'וסןטי', like: 'lol6i' },
    { script: 'Arabic', inProse: true, letters: 'اهە', like: 'loo' },
    { script: 'Nko', inProse: true, letters: 'ߊߋ', like: 'lo' },
    { script: 'Georgian', inProse: true, letters: 'ყოჿზ', like: 'ymob' },
    { script: 'Thai', inProse: false, letters: 'แ', like: 'l' },
    { script: 'Myanmar', inProse: true, letters: 'ဝင', like: 'oc' },
    { script: 'Oriya', inProse: true, letters: 'ଠ', like: 'O' },
    { script: 'Malayalam', inProse: true, letters: 'ഠ', like: 'o' },
    { script: 'Telugu', inProse: false, letters: 'ం', like: 'o' },
    { script: 'Han', inProse: false, letters: '〇丨', like: 'O|' },
    // Phonetics and old spellings of the Latin alphabet itself.
    { script: 'Latin', inProse: false, letters: 'ɑɡıȷɩɪʏʋᴄᴏᴠᴡᴢꜱʀɢʜʟɴᴀᴅᴇᴊᴋᴍᴘᴛᴜꞌǀǃƽƨƼɋʂꞷ', like: "agijiiyvcovwzsrghlnadejkmptu'|!5s5qsw" },
];
/** Signs that pass for signs of ASCII: a path, an option or a quotation is not what it seems. */
// biome-ignore format: a table reads by columns
export const ALIKE_SIGNS = [
    ['‐‑‒–―⁃−﹘➖⸺⸻˗⎯⏤─━┄┅┈┉╌╍־᐀', '-'],
    ['⁄∕⧸╱⟋⫽', '/'],
    ['∖⧵╲⟍⧹﹨', '\\'],
    ['‛′ʹʻʼʽˈˊˋ´׳ߴߵ՚', "'"],
    ['‟″‶״ʺ˝〃', '"'],
    ['‚ꓹ٫؍', ','],
    ['․‧∙⋅۔܁܂ꓸ', '.'],
    ['∶ː˸ꓽ׃։፡܃܄𐬺', ':'],
    ['⁏', ';'],
    ['∣│┃┆┇┊┋╎╏❘׀⏐', '|'],
    ['﹤‹❮˂', '<'],
    ['›❯˃', '>'],
    ['∗⁎٭✱', '*'],
    ['˜∼∽〜', '~'],
    ['ˆ˄⌃', '^'],
    ['❨❲⟮', '('],
    ['❩❳⟯', ')'],
    ['❴', '{'],
    ['❵', '}'],
    ['ˍ▁⎽', '_'],
    ['꞊゠═', '='],
    ['⧺➕᛭', '+'],
    ['❗', '!'],
    ['❓', '?'],
    ['⌗♯', '#'],
    ['٪⁒', '%'],
    ['⅋', '&'],
];
/** Signs of ordinary typography that no fixed-width font shows like ASCII, though compatibility rules fold some of them. */
export const TYPOGRAPHY = new Set('‘’“”—…•·™²³¹½¼¾，！？：；（）');
/** Printable, yet seen as nothing or as a failure of the screen. */
export const BLANKS = new Map([
    [0x115f, 'HANGUL CHOSEONG FILLER'],
    [0x1160, 'HANGUL JUNGSEONG FILLER'],
    [0x2800, 'BRAILLE PATTERN BLANK'],
    [0x3164, 'HANGUL FILLER'],
    [0xfffc, 'OBJECT REPLACEMENT CHARACTER'],
    [0xfffd, 'REPLACEMENT CHARACTER'],
    [0xffa0, 'HALFWIDTH HANGUL FILLER'],
    [0x1d159, 'MUSICAL SYMBOL NULL NOTEHEAD'],
]);
/** Characters that `display()` writes itself; from the sender they are escaped, so that nobody can forge an escape. */
export const OWN_MARKS = new Map([
    [0x27e8, 'MATHEMATICAL LEFT ANGLE BRACKET'],
    [0x27e9, 'MATHEMATICAL RIGHT ANGLE BRACKET'],
    [0x21b5, 'DOWNWARDS ARROW WITH CORNER LEFTWARDS'],
    [0x21e5, 'RIGHTWARDS ARROW TO BAR'],
    [0x2420, 'SYMBOL FOR SPACE'],
    [0x23ce, 'RETURN SYMBOL'],
    [0x2ba0, 'DOWNWARDS TRIANGLE-HEADED ARROW WITH LONG TIP LEFTWARDS'],
    [0x276c, 'MEDIUM LEFT-POINTING ANGLE BRACKET ORNAMENT'],
    [0x276d, 'MEDIUM RIGHT-POINTING ANGLE BRACKET ORNAMENT'],
    [0x2329, 'LEFT-POINTING ANGLE BRACKET'],
    [0x232a, 'RIGHT-POINTING ANGLE BRACKET'],
    [0x3008, 'LEFT ANGLE BRACKET'],
    [0x3009, 'RIGHT ANGLE BRACKET'],
]);
/** Names of what is hidden; the ranges below name the rest. */
export const NAMES = new Map([
    ...'NULL,START OF HEADING,START OF TEXT,END OF TEXT,END OF TRANSMISSION,ENQUIRY,ACKNOWLEDGE,BELL,BACKSPACE,TAB,LINE FEED,LINE TABULATION,FORM FEED,CARRIAGE RETURN,SHIFT OUT,SHIFT IN,DATA LINK ESCAPE,DEVICE CONTROL ONE,DEVICE CONTROL TWO,DEVICE CONTROL THREE,DEVICE CONTROL FOUR,NEGATIVE ACKNOWLEDGE,SYNCHRONOUS IDLE,END OF TRANSMISSION BLOCK,CANCEL,END OF MEDIUM,SUBSTITUTE,ESCAPE,FILE SEPARATOR,GROUP SEPARATOR,RECORD SEPARATOR,UNIT SEPARATOR'
        .split(',')
        .map((name, code) => [code, name]),
    [0x7f, 'DELETE'],
    [0x85, 'NEXT LINE'],
    [0x90, 'DEVICE CONTROL STRING'],
    [0x9b, 'CONTROL SEQUENCE INTRODUCER'],
    [0x9d, 'OPERATING SYSTEM COMMAND'],
    [0xa0, 'NO-BREAK SPACE'],
    [0xad, 'SOFT HYPHEN'],
    [0x34f, 'COMBINING GRAPHEME JOINER'],
    [0x61c, 'ARABIC LETTER MARK'],
    [0x1680, 'OGHAM SPACE MARK'],
    [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
    [0x2000, 'EN QUAD'],
    [0x2001, 'EM QUAD'],
    [0x2002, 'EN SPACE'],
    [0x2003, 'EM SPACE'],
    [0x2007, 'FIGURE SPACE'],
    [0x2009, 'THIN SPACE'],
    [0x200a, 'HAIR SPACE'],
    [0x200b, 'ZERO WIDTH SPACE'],
    [0x200c, 'ZERO WIDTH NON-JOINER'],
    [0x200d, 'ZERO WIDTH JOINER'],
    [0x200e, 'LEFT-TO-RIGHT MARK'],
    [0x200f, 'RIGHT-TO-LEFT MARK'],
    [0x2028, 'LINE SEPARATOR'],
    [0x2029, 'PARAGRAPH SEPARATOR'],
    [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
    [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
    [0x202c, 'POP DIRECTIONAL FORMATTING'],
    [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
    [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
    [0x202f, 'NARROW NO-BREAK SPACE'],
    [0x205f, 'MEDIUM MATHEMATICAL SPACE'],
    [0x2060, 'WORD JOINER'],
    [0x2061, 'FUNCTION APPLICATION'],
    [0x2062, 'INVISIBLE TIMES'],
    [0x2063, 'INVISIBLE SEPARATOR'],
    [0x2064, 'INVISIBLE PLUS'],
    [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
    [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
    [0x2068, 'FIRST STRONG ISOLATE'],
    [0x2069, 'POP DIRECTIONAL ISOLATE'],
    [0x3000, 'IDEOGRAPHIC SPACE'],
    [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
]);
/** First and last code point, and what to call those between. The first row that fits counts. */
export const NAMED_RANGES = [
    [0x80, 0x9f, 'CONTROL'],
    [0xd800, 0xdfff, 'LONE SURROGATE'],
    [0xe000, 0xf8ff, 'PRIVATE USE'],
    [0xfdd0, 0xfdef, 'NONCHARACTER'],
    [0xfe00, 0xfe0f, 'VARIATION SELECTOR'],
    [0xe0000, 0xe007f, 'TAG'],
    [0xe0100, 0xe01ef, 'VARIATION SELECTOR'],
    [0xf0000, 0xffffd, 'PRIVATE USE'],
    [0x100000, 0x10fffd, 'PRIVATE USE'],
];
/** Scripts written from right to left: their neighbours on the screen depend on more than their place in the text. */
export const RIGHT_TO_LEFT = [
    [0x590, 0x8ff],
    [0xfb1d, 0xfdff],
    [0xfe70, 0xfeff],
    [0x10800, 0x10fff],
    [0x1e800, 0x1efff],
];
/** The scripts that can be told apart by name; letters of others are listed as `Other`. */
export const SCRIPTS = [
    ...['Latin', 'Han', 'Cyrillic', 'Greek', 'Hiragana', 'Katakana', 'Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Thai'],
    ...['Armenian', 'Georgian', 'Bengali', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Gujarati', 'Gurmukhi', 'Oriya'],
    ...['Sinhala', 'Lao', 'Khmer', 'Myanmar', 'Ethiopic', 'Mongolian', 'Tibetan', 'Cherokee', 'Canadian_Aboriginal'],
    ...['Coptic', 'Lisu', 'Tifinagh', 'Runic', 'Ogham', 'Deseret', 'Nko', 'Syriac', 'Thaana', 'Bopomofo', 'Yi', 'Vai'],
];
