/** Limits of what mentions add to a message, with their reasons. In characters, unless noted otherwise. */
export const MENTIONS = 20; // a person who means more than this mentions a folder
export const ALL_MENTIONED = 60_000; // about 15,000 tokens, a tenth of a usual window
export const FILE_MENTIONED = 20_000; // about 500 lines; parts of longer files are mentioned with line numbers
export const FILE_BYTES = 2_000_000; // same as `read_file`
export const FOLDER_ENTRIES = 200; // same as `read_file`
export const FOLDER_FILE = 4_000; // bytes of a file that is shown with its folder
export const FOLDER_FILES = 12_000; // of all files shown with a folder, together
export const PAGE_MENTIONED = 15_000; // same as `fetch_url`
export const TERMINAL_MENTIONED = 8_000; // about two screens of a build
export const DIFF_MENTIONED = 15_000; // the changes of a usual turn
