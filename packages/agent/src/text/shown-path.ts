import { clipLine } from "./clip.ts";

const LENGTH = 200;

/** A path as the model reads it: a name may hold line breaks and worse (A42, F24), which are shown as a string's escapes. */
export const shownPath = (path: string): string =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path) ? escaped(path) : clipLine(path, LENGTH);

/** JSON leaves marks that hide or turn text as they are. */
const escaped = (path: string) =>
  JSON.stringify(path).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
