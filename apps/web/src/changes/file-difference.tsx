import { Check, ChevronRight, Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
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

/** One changed file. Its lines are made once it is open: of a thousand files few are ever looked at. */
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
  const done = keys.filter((key) => reviewed.has(key)).length;
  const isKept = done === keys.length;
  return (
    <details
      open={open}
      data-file={file.path}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-b border-line"
    >
      <summary className="sticky top-0 z-10 flex min-h-9 items-center gap-2 bg-paper px-3 text-small -outline-offset-2 hover:bg-hover">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 text-quiet group-open:rotate-90"
        />
        <span className="min-w-0 truncate font-mono" title={name}>
          {name}
        </span>
        {file.kind !== "changed" && (
          <span className="shrink-0 text-quiet">{words.changes.kinds[file.kind]}</span>
        )}
        <LineCountView lines={lines} />
        {done > 0 && (
          <span className="numbers inline-flex shrink-0 items-center gap-1 text-verified max-wide:hidden">
            <Check size={13} aria-hidden="true" />
            {isKept ? words.changes.kept : words.changes.reviewed(done, keys.length)}
          </span>
        )}
        <span className="flex-1" />
        <FileActions
          file={file}
          span={span}
          isKept={isKept}
          onKeep={() => {
            setReviewed(span.from, keys, !isKept);
            setOpen(isKept);
          }}
          onOpen={() => openFile(file.path)}
        />
      </summary>
      {!open ? null : file.binary || file.diff === "" ? (
        <WholeFile file={file} span={span} />
      ) : (
        <FileLines file={file} span={span} beside={beside} keys={keys} reviewed={reviewed} />
      )}
    </details>
  );
}

function FileActions({
  file: { path, kind },
  span,
  isKept,
  onKeep,
  onOpen,
}: {
  file: FileChangeText;
  span: Span;
  isKept: boolean;
  onKeep: () => void;
  onOpen: () => void;
}) {
  const name = visibleName(path);
  const { undo, busy } = useUndoChange(span, path);
  /** What stands in a line that opens does not open it. */
  const only = (act: () => void) => (event: { preventDefault: () => void }) => {
    event.preventDefault();
    act();
  };
  return (
    <span className="flex shrink-0 items-center">
      <Button
        kind="quiet"
        aria-pressed={isKept}
        aria-label={words.changes.keepFile(name)}
        title={words.changes.keepFile(name)}
        onClick={only(onKeep)}
      >
        <Check size={14} aria-hidden="true" />
        <span className="max-wide:hidden">{words.changes.keep}</span>
      </Button>
      <Button
        kind="quiet"
        disabled={busy}
        aria-label={words.changes.undoFile(name)}
        title={words.changes.undoFile(name)}
        onClick={only(() => void undo())}
      >
        <Undo2 size={14} aria-hidden="true" />
        <span className="max-wide:hidden">{words.changes.undo}</span>
      </Button>
      {kind !== "removed" && (
        <Button
          kind="quiet"
          className="max-wide:hidden"
          aria-label={words.changes.openFile(name)}
          onClick={only(onOpen)}
        >
          {words.changes.open}
        </Button>
      )}
    </span>
  );
}
