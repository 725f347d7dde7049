import { OWN_ROOT } from "@treadle/probe";

/** Prefix of the path with a link's secret, which then disappears from the address. */
export const OPEN_PATH = `${OWN_ROOT}open/`;
/** Paths of a conversation: its pictures by hash, and its project's source. */
export const PICTURE_PATH = `${OWN_ROOT}picture/`;
export const SOURCE_PATH = `${OWN_ROOT}source.zip`;
