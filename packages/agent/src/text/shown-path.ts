import { visible } from "@treadle/protocol/safe-text";
import { clipLine } from "./clip.ts";

const LENGTH = 200;

/**
 * Formats a path for the model. Line breaks and invisible characters in names are escaped as in a string (A42, F24).
 */
export const shownPath = (path: string): string =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path) ? visible(JSON.stringify(path)) : clipLine(path, LENGTH);
