/** Bounds of an outline, each with its reason. */
export const SOURCE_BYTES = 300_000; // about 8,000 lines; a longer file is generated, or bundled
export const PARSE_MS = 500; // broken input makes a parser slow
export const HEAD_CHARACTERS = 140; // of one definition
export const FILE_DEFINITIONS = 200; // of one file
export const FOLDER_FILES = 60; // of one answer
export const NODES = 50_000; // looked at in one file
