import { hunksOf, readUnifiedDiff } from "@treadle/dialects/diff";
import { useMemo, useState } from "react";
import type { Span } from "../api/changes.ts";
import type { FileChangeText } from "../api/projects.ts";
import { visibleName } from "../files/tree.ts";
import { words } from "../words/words.ts";
import { DiffTable } from "./diff-table.tsx";
import { rowsOf } from "./diff-rows.ts";
import { HunkHead } from "./hunk-head.tsx";
import { setReviewed } from "./reviewed.ts";
import { linesOfDiff, linesOfText, segmentsOf, type Opened } from "./segments.ts";
import { useChangedFile, useColouredLines } from "./use-changed-file.ts";
import { useUndoChange } from "./use-undo-change.ts";

/** Maximum rows of one file that are drawn. */
const MAX_ROWS = 2000;

/** The changed lines of one file, with unchanged parts folded. */
export function FileLines({
  file,
  span,
  beside,
  keys,
  reviewed,
}: {
  file: FileChangeText;
  span: Span;
  beside: boolean;
  /** The key under which each change is remembered. */
  keys: readonly string[];
  reviewed: ReadonlySet<string>;
}) {
  const [most, setMost] = useState(MAX_ROWS);
  const [opened, setOpened] = useState<Opened>(new Map());
  const { data } = useChangedFile(span, file.path);
  const { undo, busy } = useUndoChange(span, file.path);
  const lines = useMemo(() => readUnifiedDiff(file.diff), [file.diff]);
  const hunks = useMemo(() => hunksOf(lines), [lines]);
  // Texts from another moment would not match the diff's line numbers.
  const texts = data?.difference?.diff === file.diff ? data : undefined;
  const text = file.kind === "removed" ? "" : texts?.after?.text;
  const rows = useMemo(() => {
    const known = text === undefined ? linesOfDiff(lines) : linesOfText(text);
    return rowsOf(segmentsOf(hunks, known, opened), beside);
  }, [lines, hunks, text, opened, beside]);
  const before = useColouredLines(file.path, texts?.before?.text);
  const after = useColouredLines(file.path, texts?.after?.text);
  return (
    <div className="overflow-x-auto pb-1">
      <DiffTable
        name={visibleName(file.path)}
        rows={rows.length > most ? rows.slice(0, most) : rows}
        beside={beside}
        before={before}
        after={after}
        hunk={(index) => {
          if (file.kind !== "changed") return null;
          const hunk = hunks[index]!;
          const key = keys[index] ?? "";
          const isReviewed = reviewed.has(key);
          return (
            <HunkHead
              number={index + 1}
              total={hunks.length}
              reviewed={isReviewed}
              busy={busy}
              onKeep={() => setReviewed(span.from, [key], !isReviewed)}
              onUndo={texts && (() => void undo([hunk], texts.now))}
            />
          );
        }}
        onOpen={(key, end, count) =>
          setOpened((all) => {
            const one = all.get(key) ?? { top: 0, bottom: 0 };
            return new Map(all).set(key, { ...one, [end]: one[end] + count });
          })
        }
      />
      {rows.length > most && (
        <button
          type="button"
          className="px-3 py-1 text-small text-accent hover:underline pointer-coarse:min-h-11"
          onClick={() => setMost(most * 4)}
        >
          {words.changes.moreLines({ amount: rows.length - most })}
        </button>
      )}
    </div>
  );
}
