/** Limits of tool results, with their reasons. In characters, unless noted otherwise. */
export const OUTPUT_LIMIT = 8_000; // a failing build gives the cause at the beginning or the end
export const NEAREST_LIMIT = 2_000; // the lines near the place of a failed edit
export const READ_LIMIT = 15_000; // about 400 lines; the rest is read with an offset
export const READ_BYTES = 2_000_000; // a larger file is searched, not read
export const LIST_LIMIT = 400; // entries; a generated app has under 100
export const OUTLINE_LIMIT = 12_000; // about 200 definitions
export const TODO_ITEMS = 40; // a person reads that many at a glance
export const TODO_TEXT = 200; // per item
export const SEARCH_LIMIT = 100; // matches
export const SEARCH_LINE = 300; // per line of a match; the file may be minified
