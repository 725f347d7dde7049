import type { LineCount } from "@treadle/protocol";
import { useEffect, useMemo, useRef } from "react";
import type { FileChangeText } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import type { Span } from "../api/changes.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useNarrow } from "../ui/use-narrow.ts";
import { useChanges } from "../project/use-changes.ts";
import { clearRequestedPath, useShownChanges } from "../project/changes-store.ts";
import { words } from "../words/words.ts";
import { useBeside } from "./beside-choice.ts";
import { changeKeys } from "./change-key.ts";
import { ChangedFiles } from "./changed-files.tsx";
import { ChangesHead } from "./changes-head.tsx";
import { countLines } from "./count-lines.ts";
import { FileDifference } from "./file-difference.tsx";
import { FileOverTime } from "./file-over-time.tsx";
import { openReviewed, useReviewed } from "./reviewed.ts";
import { useChangeCommands } from "./use-change-commands.ts";
import { lastTurnStart } from "../fold/select.ts";

/**
 * The selected comparison, or else that of the files before the last turn that changed anything with the current ones.
 * Undefined if there is no checkpoint.
 */
function useSpan(): Span | undefined {
  const chosen = useShownChanges((state) => state.span);
  const first = useView((view) => view.checkpoints[0]?.checkpoint);
  const lastTurn = useView(lastTurnStart);
  const from = chosen?.from ?? lastTurn ?? first;
  return from === undefined ? undefined : { from, to: chosen?.to };
}

/** With more files than this, all are closed at first. */
const MAX_OPEN_FILES = 8;
/** A file with more changed lines than this is folded at first. */
const LONG_LINES = 300;
const NONE: readonly string[] = [];

/** The differences between two checkpoints, or between one and now; or the history of one file. */
export default function Changes() {
  const path = useShownChanges((state) => state.historyPath);
  const span = useSpan();
  const project = useProjectId();
  useEffect(() => openReviewed(project), [project]);
  if (path !== undefined) return <FileOverTime key={path} path={path} />;
  if (!span) return <Empty title={words.changes.nothingYet}>{words.changes.nothingYetAbout}</Empty>;
  return <SpanChanges span={span} />;
}

function SpanChanges({ span }: { span: Span }) {
  const { from, to } = span;
  const { data: known, error, isPending, refetch } = useChanges(span);
  const data = known?.files;
  const keys = useMemo(() => new Map(data?.map((file) => [file, changeKeys(file)])), [data]);
  const counts = useMemo(() => new Map(data?.map((file) => [file, countLines(file.diff)])), [data]);
  const marks = useReviewed((state) => state.marks[from]) ?? NONE;
  const reviewed = useMemo(() => new Set(marks), [marks]);
  const narrow = useNarrow();
  const beside = useBeside((state) => state.beside) && !narrow;
  const list = useRef<HTMLDivElement>(null);
  const jump = useChangeCommands(list);
  useRequestedFile(list, data);
  return (
    <div className="flex h-full flex-col">
      <ChangesHead
        span={span}
        files={data}
        keys={[...keys.values()].flat()}
        reviewed={reviewed}
        onJump={jump}
      />
      <div className="flex min-h-0 flex-1">
        {!narrow && data && data.length > 1 && (
          <ChangedFiles
            files={data}
            counts={counts}
            keys={keys}
            reviewed={reviewed}
            onChoose={(path) => showFile(list, path)}
          />
        )}
        <div ref={list} className="min-h-0 min-w-0 flex-1 overflow-y-auto">
          {isPending && <p className="p-4 text-quiet">{words.changes.comparing}</p>}
          {error && (
            <p role="alert" className="p-4 text-failed">
              {sentence(error)}{" "}
              <Button onClick={() => void refetch()}>{words.changes.tryAgain}</Button>
            </p>
          )}
          {data?.length === 0 && (
            <Empty title={words.changes.noDifferences}>{words.changes.noDifferencesAbout}</Empty>
          )}
          {data?.map((file) => (
            <FileDifference
              key={`${from} ${to} ${file.path}`}
              file={file}
              span={span}
              startOpen={data.length <= MAX_OPEN_FILES && !isLong(counts.get(file))}
              beside={beside}
              keys={keys.get(file) ?? NONE}
              reviewed={reviewed}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Whether a file has too many changed lines to be open at first. */
const isLong = (lines: LineCount | undefined): boolean =>
  lines !== undefined && lines.added + lines.removed > LONG_LINES;

/** Scrolls the requested file into view and opens it, once the differences have loaded. */
function useRequestedFile(
  list: { current: HTMLDivElement | null },
  files: readonly FileChangeText[] | undefined,
): void {
  const requestedPath = useShownChanges((state) => state.path);
  useEffect(() => {
    if (requestedPath === undefined || !files) return;
    clearRequestedPath();
    showFile(list, requestedPath);
  }, [requestedPath, files, list]);
}

/** Scrolls to a file, opens it and focuses it. */
function showFile(list: { current: HTMLDivElement | null }, path: string): void {
  const file = [...(list.current?.querySelectorAll<HTMLElement>("[data-file]") ?? [])].find(
    (one) => one.dataset["file"] === path,
  );
  if (!file) return;
  const line = file.querySelector<HTMLElement>("[data-expand]");
  if (line?.ariaExpanded === "false") line.click();
  file.scrollIntoView({ block: "start" });
  line?.focus({ preventScroll: true });
}

function Empty({ title, children }: { title: string; children: string }) {
  return (
    <div className="grid h-full place-content-center gap-1 p-6 text-center">
      <p className="text-large font-semibold">{title}</p>
      <p className="max-w-90 text-quiet">{children}</p>
    </div>
  );
}
