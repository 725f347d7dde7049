import { shownPath } from "../../text/shown-path.ts";
import { sizeText } from "../../text/size.ts";

/** Paths that are told at first, and of a change. */
export const TREE = 200;
const CHANGED = 40;
/** Bytes from which on a file's size is told: of such a one only the part that matters should be read. */
const LONG = 4_000;

/**
 * The project's files as they are, or what of them is new and gone since they were told; empty: nothing is.
 * @param sizes in bytes, by path
 */
export function tellTree(
  before: readonly string[] | undefined,
  now: readonly string[],
  more: boolean,
  sizes: ReadonlyMap<string, number>,
): string {
  const describe = (path: string) => {
    const size = sizes.get(path) ?? 0;
    return size < LONG ? shownPath(path) : `${shownPath(path)} (${sizeText(size)})`;
  };
  if (!before)
    return now.length === 0
      ? "The project has no files yet."
      : `Files of the project:\n${now.map(describe).join("\n")}${more ? "\n(and more: list_files)" : ""}`;
  // Of an empty project everything is new, whoever made it.
  if (before.length === 0 && now.length > 0) return tellTree(undefined, now, more, sizes);
  const had = new Set(before);
  const has = new Set(now);
  const lines = [
    ...now.filter((path) => !had.has(path)).map((path) => `+ ${describe(path)}`),
    // Of a cut list nothing can be said about what is not in it.
    ...(more ? [] : before.filter((path) => !has.has(path)).map((path) => `- ${shownPath(path)}`)),
  ];
  if (lines.length === 0) return "";
  const left = lines.length - CHANGED;
  return `New and gone since the last list of files, by you as well:\n${lines.slice(0, CHANGED).join("\n")}${left > 0 ? `\n(and ${left} more)` : ""}`;
}
