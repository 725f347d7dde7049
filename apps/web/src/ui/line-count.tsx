import type { LineCount } from "@treadle/protocol";
import { languageTag, words } from "../words/words.ts";

/** The numbers of lines added and removed. Draws nothing if they are undefined or both 0. */
export function LineCountView({ lines }: { lines: LineCount | undefined }) {
  if (!lines || lines.added + lines.removed === 0) return null;
  const { added, removed } = lines;
  const tag = languageTag();
  return (
    <span className="numbers shrink-0 text-small">
      <span className="sr-only">
        {words.chat.linesChanged({
          added: added.toLocaleString(tag),
          removed: removed.toLocaleString(tag),
        })}
      </span>
      <span aria-hidden="true">
        {added > 0 && <span className="text-verified">+{added.toLocaleString(tag)}</span>}
        {added > 0 && removed > 0 && " "}
        {removed > 0 && <span className="text-failed">−{removed.toLocaleString(tag)}</span>}
      </span>
    </span>
  );
}
