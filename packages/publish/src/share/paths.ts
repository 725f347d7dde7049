import { OWN_ROOT } from "@treadle/browser";

/** Behind it stand the words that open a link. They are in no address afterwards. */
export const OPEN_PATH = `${OWN_ROOT}open/`;
/** Of a conversation: its pictures, by their hash, and its project's source. */
export const PICTURE_PATH = `${OWN_ROOT}picture/`;
export const SOURCE_PATH = `${OWN_ROOT}source.zip`;
