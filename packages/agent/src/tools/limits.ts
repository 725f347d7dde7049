/** Bounds of what a tool tells the model, each with its reason. Characters unless said otherwise. */
export const OUTPUT_LIMIT = 8_000; // a failing build says what is wrong in its head or its tail
export const NEAREST_LIMIT = 2_000; // the lines around a place that an edit missed
export const READ_LIMIT = 15_000; // about 400 lines; more is read with offset
export const READ_BYTES = 2_000_000; // a larger file is searched, not read
export const LIST_LIMIT = 400; // entries; a generated app has under 100
export const OUTLINE_LIMIT = 12_000; // about 200 definitions
export const TODO_ITEMS = 40; // a person reads it at a glance
export const TODO_TEXT = 200; // of one item
export const SEARCH_LIMIT = 100; // matches
export const SEARCH_LINE = 300; // one line of a match, which may be a minified file
