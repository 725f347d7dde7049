import { shownPath } from "../../text/shown-path.ts";
import { sizeText } from "../../text/size.ts";

/** Maximum number of paths listed, at first and in a change. */
export const TREE = 200;
const CHANGED = 40;
/**
 * Files from this size on, in bytes, are listed with it, so that the model reads only the relevant
 * part.
 */
const LONG = 4_000;

/**
 * Lists the project's files, or the additions and removals since the last list; empty if there are
 * none.
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
  // In a project that was empty before, every file is new, whoever wrote it.
  if (before.length === 0 && now.length > 0) return tellTree(undefined, now, more, sizes);
  const had = new Set(before);
  const has = new Set(now);
  const lines = [
    ...now.filter((path) => !had.has(path)).map((path) => `+ ${describe(path)}`),
    // A truncated list does not show which files were removed.
    ...(more ? [] : before.filter((path) => !has.has(path)).map((path) => `- ${shownPath(path)}`)),
  ];
  if (lines.length === 0) return "";
  const left = lines.length - CHANGED;
  return `New and gone since the last list of files, by you as well:\n${lines.slice(0, CHANGED).join("\n")}${left > 0 ? `\n(and ${left} more)` : ""}`;
}
