import type { ProjectPath } from "@treadle/protocol";
import { useQuery } from "@tanstack/react-query";
import { listFiles } from "./files.ts";

/** Paths of the project's files, from the file tree's query; empty until known, and for no project (""). */
export function useFileNames(project: string): readonly ProjectPath[] {
  const { data } = useQuery({
    queryKey: ["files", project],
    enabled: project !== "",
    queryFn: ({ signal }) => listFiles(project, signal),
    select: (files) => files.flatMap(({ kind, path }) => (kind === "file" ? [path] : [])),
  });
  return data ?? [];
}
