import { useQuery } from "@tanstack/react-query";
import { readFile } from "../api/files.ts";
import { useView } from "../live/live-context.tsx";
import { useFileNames } from "../mentions/use-file-names.ts";

const MANIFEST = "package.json";

/** Whether the project has something that can be started: what ran before, or a script for it. False until it is known. */
export function useCanStart(project: string): boolean {
  const ran = useView((view) => (view.server?.command ?? "") !== "");
  const changed = useView((view) => view.changes.get(MANIFEST));
  const listed = useFileNames(project).includes(MANIFEST);
  // The list may be of before; what the log says of it is newer, where it says something.
  const isThere = changed ? changed.kind === "written" : listed;
  const { data = false } = useQuery({
    queryKey: ["start-script", project, changed?.seq],
    queryFn: async ({ signal }) => hasStartScript((await readFile(project, MANIFEST, signal)).text),
    enabled: !ran && isThere,
  });
  return ran || (isThere && data);
}

/** The scripts that the server takes. */
function hasStartScript(text = ""): boolean {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return [scripts?.["dev"], scripts?.["start"]].some((script) => typeof script === "string");
  } catch {
    return false;
  }
}
