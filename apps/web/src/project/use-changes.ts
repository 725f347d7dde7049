import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { useEffect } from "react";
import type { Span } from "../api/changes.ts";
import { readChanges, type FileChangeText } from "../api/projects.ts";
import type { ProjectView } from "../fold/types.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

/** Delay before a burst of changes is read once. */
const SETTLE_MS = 150;
/** Delay before differences that could not be read are read again. */
const RETRY_MS = 5_000;
/** With more changed files than this, all differences are read with one request. */
const MAX_SINGLE_READS = 8;

/** The differences of a span, and the log entry up to which they are known to be complete. */
export interface KnownChanges {
  seq: number;
  files: readonly FileChangeText[];
}

type Changed = Pick<ProjectView, "changes" | "filesSeq" | "restoredSeq">;

/**
 * Brings differences up to date. Reads only the files that changed since, so that a long turn costs as much as its
 * changes, and not all of its differences at each of them.
 * @param read reads the difference of one file (none if it is as it was), or those of all files
 */
export async function refreshChanges(
  known: KnownChanges | undefined,
  { changes, filesSeq, restoredSeq }: Changed,
  read: (path?: ProjectPath) => Promise<readonly FileChangeText[]>,
): Promise<KnownChanges> {
  const paths = known && [...changes].flatMap(([path, { seq }]) => (seq > known.seq ? [path] : []));
  if (!paths || restoredSeq > known.seq || paths.length > MAX_SINGLE_READS)
    return { seq: filesSeq, files: await read() };
  if (paths.length === 0) return { ...known, seq: filesSeq };
  const fresh = await Promise.all(paths.map((path) => read(path)));
  const files = new Map(known.files.map((file) => [file.path, file]));
  for (const [index, path] of paths.entries()) {
    files.delete(path);
    for (const file of fresh[index]!) files.set(file.path, file);
  }
  const ordered = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { seq: filesSeq, files: ordered };
}

/**
 * The differences of a span, shared by all that show them, and followed while the span ends at the current files.
 * @param span undefined if there is none
 */
export function useChanges(span: Span | undefined) {
  const project = useProjectId();
  const client = useQueryClient();
  const changes = useView((view) => view.changes);
  const filesSeq = useView((view) => view.filesSeq);
  const restoredSeq = useView((view) => view.restoredSeq);
  const queryKey = ["changes", project, span?.from, span?.to];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      refreshChanges(
        client.getQueryData<KnownChanges>(queryKey),
        { changes, filesSeq, restoredSeq },
        (path) => readChanges(project, { ...span!, path }, signal),
      ),
    enabled: span !== undefined,
    // Outdated differences are better than none while the next are read.
    placeholderData: (before) => before,
  });
  const { data, isError, isFetching, refetch } = query;
  const isBehind = data !== undefined && span?.to === undefined && data.seq < filesSeq;
  useEffect(() => {
    if (!isBehind || isFetching) return;
    const again = () => void refetch({ cancelRefetch: false });
    const timer = setTimeout(again, isError ? RETRY_MS : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isBehind, isError, isFetching, refetch]);
  return query;
}
