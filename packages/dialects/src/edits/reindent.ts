/** The indentation of a line of the old text, and of the matching line in the file. */
export interface IndentPair {
  old: string;
  file: string;
}

/**
 * Adjusts the new text to the file's indentation. `pairs` belong to the non-blank lines of the old
 * text, in order.
 * If all lines differ by the same amount, the new ones are shifted by it. If they differ
 * individually (a flat old text), new lines take the indentation of those that they replace.
 */
export function reindent(
  lines: readonly string[],
  pairs: readonly IndentPair[],
): readonly string[] {
  const first = pairs[0];
  if (!first || pairs.every(({ old, file }) => old === file)) return lines;
  const texts = lines.filter((line) => line.trim() !== "");
  // Only the old text was wrong; the new one already has the file's indentation.
  if (first.old !== first.file && indentOf(texts[0] ?? "") === first.file) return lines;
  const move = uniformMove(pairs);
  if (move) return lines.map((line) => withIndent(line, move(indentOf(line))));
  if (texts.length === pairs.length) {
    let index = 0;
    return lines.map((line) =>
      line.trim() === "" ? line : withIndent(line, pairs[index++]!.file),
    );
  }
  const known = new Map(pairs.toReversed().map(({ old, file }) => [old, file]));
  return lines.map((line) => {
    const indent = indentOf(line);
    return withIndent(line, known.get(indent) ?? first.file + indent.slice(first.old.length));
  });
}

export function indentOf(line: string): string {
  return /^[ \t\u00a0\u3000]*/.exec(line)?.[0] ?? "";
}

function withIndent(line: string, indent: string): string {
  return line.trim() === "" ? line : indent + line.slice(indentOf(line).length);
}

/** The common change of indentation, if it is the same for every line. */
function uniformMove(pairs: readonly IndentPair[]): ((indent: string) => string) | undefined {
  const { old, file } = pairs[0]!;
  if (file.endsWith(old)) {
    const added = file.slice(0, file.length - old.length);
    if (pairs.every((pair) => pair.file === added + pair.old)) return (indent) => added + indent;
  }
  if (old.endsWith(file)) {
    const removed = old.slice(0, old.length - file.length);
    if (pairs.every((pair) => pair.old === removed + pair.file))
      return (indent) =>
        indent.startsWith(removed) ? indent.slice(removed.length) : indent.slice(indent.length);
  }
  const spaces = tabOf(pairs.map(({ old, file }) => [file, old]));
  if (spaces) return (indent) => indent.replaceAll(spaces, "\t");
  const tab = tabOf(pairs.map(({ old, file }) => [old, file]));
  return tab ? (indent) => indent.replaceAll("\t", tab) : undefined;
}

/** The spaces that replace one tab, if the number is the same everywhere; undefined otherwise. */
function tabOf(both: readonly (readonly [tabs: string, spaces: string])[]): string | undefined {
  const [tabs, spaces] = both.find(([one]) => one !== "") ?? ["", ""];
  const tab = " ".repeat(spaces.length / tabs.length || 0);
  return both.every((one) => /^\t*$/.test(one[0]) && one[1] === tab.repeat(one[0].length)) ? tab : undefined; // prettier-ignore
}
