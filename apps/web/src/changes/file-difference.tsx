import { useMemo, useState } from "react";
import { Check, ChevronRight, Undo2 } from "../ui/icons.ts";
import type { Span } from "../api/changes.ts";
import type { FileChangeText } from "../api/projects.ts";
import { visibleName } from "../files/tree.ts";
import { useWork } from "../project/work-store.ts";
import { LineCountView } from "../ui/line-count.tsx";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { countLines } from "./count-lines.ts";
import { FileLines } from "./file-lines.tsx";
import { setReviewed } from "./reviewed.ts";
import { useUndoChange } from "./use-undo-change.ts";
import { WholeFile } from "./whole-file.tsx";

/** One changed file. Its lines are rendered only when it is open, because few of many files are ever opened. */
export function FileDifference({
  file,
  span,
  startOpen,
  beside,
  keys,
  reviewed,
}: {
  file: FileChangeText;
  span: Span;
  startOpen: boolean;
  beside: boolean;
  keys: readonly string[];
  reviewed: ReadonlySet<string>;
}) {
  const openFile = useWork((state) => state.openFile);
  const [open, setOpen] = useState(startOpen);
  const lines = useMemo(() => countLines(file.diff), [file.diff]);
  const name = visibleName(file.path);
  const reviewedCount = keys.filter((key) => reviewed.has(key)).length;
  const isReviewed = reviewedCount === keys.length;
  // An added or deleted file is a single change, as is one without a line diff; the file's own row shows it.
  const isOne = file.kind !== "changed" || file.diff === "";
  return (
    <div data-file={file.path} role="group" aria-label={name} className="border-b border-line">
      <div
        data-change={isOne || undefined}
        className="sticky top-0 z-10 flex min-h-9 items-center gap-2 bg-paper pr-3 text-small hover:bg-hover"
      >
        <button
          type="button"
          data-expand
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 pl-3 text-left -outline-offset-2"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={`shrink-0 text-quiet ${open ? "rotate-90" : ""}`}
          />
          <span className="min-w-0 truncate font-mono" title={name}>
            {name}
          </span>
          {file.kind !== "changed" && (
            <span className="shrink-0 text-quiet">{words.changes.kinds[file.kind]}</span>
          )}
          <LineCountView lines={lines} />
          {reviewedCount > 0 && !isReviewed && (
            <span className="numbers shrink-0 text-verified max-wide:hidden">
              {words.changes.reviewed({ done: reviewedCount, total: keys.length })}
            </span>
          )}
        </button>
        <FileActions
          file={file}
          span={span}
          isReviewed={isReviewed}
          onKeep={() => {
            setReviewed(span.from, keys, !isReviewed);
            setOpen(isReviewed);
          }}
          onOpen={() => openFile(file.path)}
        />
      </div>
      {!open ? null : file.binary || file.diff === "" ? (
        <WholeFile file={file} span={span} />
      ) : (
        <FileLines file={file} span={span} beside={beside} keys={keys} reviewed={reviewed} />
      )}
    </div>
  );
}

function FileActions({
  file: { path, kind },
  span,
  isReviewed,
  onKeep,
  onOpen,
}: {
  file: FileChangeText;
  span: Span;
  isReviewed: boolean;
  onKeep: () => void;
  onOpen: () => void;
}) {
  const name = visibleName(path);
  const { undo, busy } = useUndoChange(span, path);
  const label = isReviewed ? words.changes.keptFile({ name }) : words.changes.keepFile({ name });
  return (
    <span className="flex shrink-0 items-center">
      <Button
        kind="quiet"
        aria-pressed={isReviewed}
        data-keep
        className="aria-pressed:text-verified"
        aria-label={label}
        title={label}
        onClick={onKeep}
      >
        <Check size={14} aria-hidden="true" />
        <span className="max-wide:hidden">
          {isReviewed ? words.changes.kept : words.changes.keep}
        </span>
      </Button>
      <Button
        kind="quiet"
        disabled={busy}
        data-undo
        aria-label={words.changes.undoFile({ name })}
        title={words.changes.undoFile({ name })}
        onClick={() => void undo()}
      >
        <Undo2 size={14} aria-hidden="true" />
        <span className="max-wide:hidden">{words.changes.undo}</span>
      </Button>
      {kind !== "removed" && (
        <Button
          kind="quiet"
          className="max-wide:hidden"
          aria-label={words.changes.openFile({ name })}
          onClick={onOpen}
        >
          {words.changes.open}
        </Button>
      )}
    </span>
  );
}
