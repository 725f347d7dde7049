import { useQuery } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useMemo, useState } from "react";
import { searchFiles, type FoundLine } from "../api/search.ts";
import { sentence } from "../api/request.ts";
import { readFile } from "../api/files.ts";
import type { Found } from "../language/go-to.ts";
import { saveEdits } from "../project/unsaved.ts";
import { askedOf, type Query } from "./line-match.ts";

/** Delay after the last key, in milliseconds. */
const SETTLE_MS = 250;
/** Number of files whose lines are read for the uses of a name. */
const MAX_FILES_READ = 60;

export interface FileResults {
  path: ProjectPath;
  lines: FoundLine[];
}

export interface Results {
  files: readonly FileResults[];
  count: number;
  /** Whether there are more matches than listed. */
  more: boolean;
  isSearching: boolean;
  problem: string | undefined;
  /** Repeats the search after a change. */
  again(): void;
}

/** The matching lines. Unsaved text is written first, so that it is found as well. */
export function useResults(project: string, query: Query, filesSeq: number): Results {
  const [settled, setSettled] = useState({ query, filesSeq });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ query, filesSeq }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [query, filesSeq]);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["search", project, settled],
    async queryFn({ signal }) {
      await saveEdits();
      return searchFiles(project, askedOf(settled.query), signal);
    },
    enabled: settled.query.text !== "",
    placeholderData: (before) => before,
    retry: false,
  });
  const matches = settled.query.text === "" ? undefined : data?.matches;
  const files = useMemo(() => byFile(matches ?? []), [matches]);
  return {
    files,
    count: matches?.length ?? 0,
    more: data?.more ?? false,
    isSearching: isFetching || settled.query !== query,
    problem: error && settled.query.text !== "" ? sentence(error) : undefined,
    again: () => void refetch(),
  };
}

/** The lines where a name is used, read from their files. */
export function useLinesOf(project: string, found: readonly Found[]): readonly FileResults[] {
  const { data } = useQuery({
    queryKey: ["uses", project, found],
    queryFn: () => readLines(project, found),
    enabled: found.length > 0,
  });
  return found.length === 0 ? [] : (data ?? []);
}

async function readLines(project: string, found: readonly Found[]): Promise<FileResults[]> {
  const paths = [...new Set(found.map(({ path }) => path))].slice(0, MAX_FILES_READ);
  const files = await Promise.all(
    paths.map(async (path) => {
      const body = await readFile(project, path).catch(() => undefined);
      const all = body?.text?.split(/\r?\n/) ?? [];
      const lines = [...new Set(found.filter((one) => one.path === path).map(({ line }) => line))];
      return {
        path,
        lines: lines
          .toSorted((a, b) => a - b)
          .map((line) => ({ path, line, text: (all[line - 1] ?? "").slice(0, 500) })),
      };
    }),
  );
  return files;
}

function byFile(matches: readonly FoundLine[]): FileResults[] {
  const files = new Map<ProjectPath, FoundLine[]>();
  for (const match of matches) {
    const lines = files.get(match.path);
    if (lines) lines.push(match);
    else files.set(match.path, [match]);
  }
  return [...files].map(([path, lines]) => ({ path, lines }));
}
