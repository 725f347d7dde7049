import type { ProjectPath } from "@treadle/protocol";
import { hunksOf, readUnifiedDiff } from "@treadle/dialects/diff";
import type { FileChangeText } from "../api/projects.ts";

/** One number of 53 bits for a text (cyrb53): two texts share one less than once in a billion files. */
function digest(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/**
 * A name for each change of a file, by what it says and not by where it stands: it stays the same while others come and
 * go around it. What has no lines is one change.
 */
export function changeKeys(file: FileChangeText): string[] {
  const hunks = hunksOf(readUnifiedDiff(file.diff));
  const seen = new Map<string, number>();
  const keyOf = (path: ProjectPath, words: string) => {
    const key = digest(`${path}\0${words}`);
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times === 0 ? key : `${key}.${times}`;
  };
  if (hunks.length === 0) return [keyOf(file.path, file.kind)];
  return hunks.map(({ removed, added }) =>
    keyOf(file.path, `${removed.join("\n")}\0${added.join("\n")}`),
  );
}
