import { visible } from "@treadle/protocol/safe-text";
import { clipLine } from "./clip.ts";

const LENGTH = 200;

/** A path as the model reads it: a name may hold line breaks and worse (A42, F24), which are shown as a string's escapes. */
export const shownPath = (path: string): string =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path) ? visible(JSON.stringify(path)) : clipLine(path, LENGTH);
