import type { ILink, Terminal } from "@xterm/xterm";
import { findLinks, type Known, type LinkTarget } from "./find-links.ts";
import { lineAt } from "./logical-lines.ts";

/** Turns files, previews and web pages named on a screen into links, until the returned function is called. */
export function linkScreen(
  terminal: Terminal,
  options: {
    known(): Known;
    /** The tooltip of a link. */
    titleOf(target: LinkTarget): string;
    onOpen(target: LinkTarget): void;
    onHover(title: string | undefined): void;
  },
): () => void {
  const { known, titleOf, onOpen, onHover } = options;
  const provider = terminal.registerLinkProvider({
    provideLinks(row, callback) {
      const buffer = terminal.buffer.active;
      const line = lineAt(buffer, row - 1, terminal.cols);
      if (!line || line.text.trim() === "") return callback(undefined);
      const lines = [line];
      const lineAbove = (distance: number) => {
        while (lines.length <= distance) {
          const { from } = lines.at(-1)!;
          const before = from === 0 ? undefined : lineAt(buffer, from - 1, terminal.cols);
          if (!before) return undefined;
          lines.push(before);
        }
        return lines[distance]!.text;
      };
      callback(
        findLinks(line.text, known(), lineAbove).map(({ from, to, target }): ILink => {
          const [start, end] = [line.cellOf(from), line.cellOf(to - 1)];
          return {
            text: line.text.slice(from, to),
            range: {
              start: { x: start.column + 1, y: start.row + 1 },
              end: { x: end.column + 1, y: end.row + 1 },
            },
            activate: () => onOpen(target),
            hover: () => onHover(titleOf(target)),
            leave: () => onHover(undefined),
          };
        }),
      );
    },
  });
  return () => provider.dispose();
}
