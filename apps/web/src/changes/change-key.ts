import type { ProjectPath } from "@treadle/protocol";
import { hunksOf, readUnifiedDiff } from "@treadle/dialects/diff";
import type { FileChangeText } from "../api/projects.ts";

/** A 53-bit hash of a text (cyrb53). Collisions are rarer than one in a billion files. */
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
 * Identifies each change of a file by its content rather than its position, so that the key survives changes around it. A
 * file without a line diff is one change.
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
