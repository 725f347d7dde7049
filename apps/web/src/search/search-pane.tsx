import { useState } from "react";
import { readFile, writeFile } from "../api/files.ts";
import type { FoundLine } from "../api/search.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { useWork } from "../project/work-store.ts";
import { Button } from "../ui/button.tsx";
import { noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { expressionOf } from "./line-match.ts";
import { replaceInFiles, undoReplace, type Replaced } from "./replace-in-files.ts";
import { ReplaceStatus } from "./replace-status.tsx";
import { ResultList } from "./result-list.tsx";
import { SearchFields } from "./search-fields.tsx";
import { useSearch } from "./search-store.ts";
import { useLinesOf, useResults, type FileResults } from "./use-results.ts";

const keyOf = (path: string, line?: number) => `${path}:${line ?? ""}`;

/** Searches and replaces in all files of the project, or lists the uses of a name. */
export default function SearchPane({ onOpened }: { onOpened: () => void }) {
  const project = useProjectId();
  const filesSeq = useView((view) => view.filesSeq);
  const { query, to, uses, replacement, setReplacement, close } = useSearch();
  const { active, done } = replacement?.project === project ? replacement : {};
  const busy = active !== undefined;
  // A replacement changes the results with every file, so the search runs again only at its end.
  const results = useResults(project, query, active?.seq ?? filesSeq);
  const usesFiles = useLinesOf(project, uses?.found ?? []);
  const expression = expressionOf(query);
  const openFile = useWork((state) => state.openFile);
  const [excluded, setExcluded] = useState<{ query: typeof query; keys: ReadonlySet<string> }>();

  // Exclusions apply to this search only.
  const excludedKeys = excluded?.query === query ? excluded.keys : undefined;
  const files = excludedKeys ? withoutExcluded(results.files, excludedKeys) : results.files;
  const leave = (file: FileResults, line?: FoundLine) =>
    setExcluded({ query, keys: new Set([...(excludedKeys ?? []), keyOf(file.path, line?.line)]) });

  /** Runs a replacement or its undo. Publishes the number of completed files, and a function that stops it. */
  const act = async (
    total: number,
    work: (how: { onFile: (done: number) => void; signal: AbortSignal }) => Promise<void>,
  ) => {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    const onFile = (done: number) =>
      setReplacement({ project, active: { seq: filesSeq, completed: done, total, stop } });
    onFile(0);
    try {
      await saveEdits();
      await work({ onFile, signal: stopping.signal });
    } catch (error) {
      noticeError(sentence(error));
    } finally {
      setReplacement({ project, active: undefined });
      results.again();
    }
  };
  const write = (path: FileResults["path"], text: string, version: string) =>
    writeFile(project, path, text, version, { unseen: true });
  const replace = (chosen: readonly FileResults[]) =>
    void act(chosen.length, async (how) => {
      if (to === undefined || !expression) return;
      const { regex } = query;
      const read = (path: FileResults["path"]) => readFile(project, path);
      const replaced = await replaceInFiles(
        chosen,
        { expression, to, regex },
        { read, write, ...how },
      );
      setReplacement({ project, done: replaced });
    });
  const undo = (replaced: Replaced) =>
    void act(replaced.files.length, async (how) => {
      const { skipped: remaining, rest } = await undoReplace(replaced, { write, ...how });
      // The files changed before it was stopped can still be restored.
      setReplacement({
        project,
        done: rest.length > 0 ? { files: rest, skipped: [], stopped: 0 } : undefined,
      });
      if (remaining.length > 0)
        noticeError(words.editor.notTakenBack({ files: remaining.join(", ") }));
    });
  const open = (line: FoundLine, column: number) => {
    openFile(line.path, { line: line.line, column });
    onOpened();
  };

  if (uses)
    return (
      <>
        <p className="flex items-center gap-2 px-3 py-1.5 text-small">
          <span className="min-w-0 flex-1 truncate">{uses.title}</span>
          <Button kind="quiet" onClick={close}>
            {words.editor.endSearch}
          </Button>
        </p>
        <ResultList
          label={words.editor.results}
          files={usesFiles}
          expression={
            uses.word === ""
              ? undefined
              : expressionOf({ ...query, text: uses.word, regex: false, word: true })
          }
          replacing={undefined}
          onOpen={open}
          onReplace={() => {}}
          onLeave={() => {}}
        />
      </>
    );

  const count = files.reduce((sum, { lines }) => sum + lines.length, 0);
  const mayReplace = to !== undefined && expression && count > 0 && !busy && !results.isSearching;
  return (
    <>
      <SearchFields
        broken={query.regex && expression === undefined}
        replaceAll={mayReplace ? { count, act: () => replace(files) } : undefined}
      />
      <ReplaceStatus active={active} replacement={done} onUndo={undo} />
      {results.problem !== undefined ? (
        <p role="alert" className="px-3 text-small break-words text-failed">
          {results.problem}
        </p>
      ) : (
        query.text !== "" && (
          <p role="status" className="px-3 pb-1 text-small text-quiet">
            {results.isSearching && results.count === 0
              ? words.editor.searching
              : words.editor.foundCount({ lines: count, files: files.length, more: results.more })}
          </p>
        )
      )}
      <ResultList
        label={words.editor.results}
        files={query.text === "" || results.problem !== undefined ? [] : files}
        expression={expression}
        replacing={to === undefined ? undefined : { to, regex: query.regex }}
        onOpen={open}
        onReplace={(file, line) => replace([line ? { ...file, lines: [line] } : file])}
        onLeave={leave}
      />
    </>
  );
}

function withoutExcluded(files: readonly FileResults[], keys: ReadonlySet<string>): FileResults[] {
  return files
    .filter(({ path }) => !keys.has(keyOf(path)))
    .map((file) => ({
      ...file,
      lines: file.lines.filter(({ line }) => !keys.has(keyOf(file.path, line))),
    }))
    .filter(({ lines }) => lines.length > 0);
}
