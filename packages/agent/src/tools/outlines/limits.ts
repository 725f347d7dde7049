/** Limits of an outline, with their reasons. */
export const SOURCE_BYTES = 300_000; // about 8,000 lines; a longer file is generated or bundled
export const PARSE_MS = 500; // broken input makes a parser slow
export const HEAD_CHARACTERS = 140; // per definition
export const FILE_DEFINITIONS = 200; // per file
export const FOLDER_FILES = 60; // per answer
export const NODES = 50_000; // visited per file
