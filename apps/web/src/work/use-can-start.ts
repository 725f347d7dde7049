import { useQuery } from "@tanstack/react-query";
import { readFile } from "../api/files.ts";
import { useView } from "../live/live-context.tsx";
import { useFileNames } from "../mentions/use-file-names.ts";

const MANIFEST = "package.json";
/** Files that need no server of their own are served by Treadle's. */
const PAGE = "index.html";

/** Whether the project has something that can be started: what ran before, or a script for it. False until it is known. */
export function useCanStart(project: string): boolean {
  const ran = useView((view) => (view.server?.command ?? "") !== "");
  const changed = useView((view) => view.changes.get(MANIFEST));
  const page = useView((view) => view.changes.get(PAGE)?.kind);
  const names = useFileNames(project);
  // The list may be of before; what the log says of it is newer, where it says something.
  const isThere = changed ? changed.kind === "written" : names.includes(MANIFEST);
  const isPage = page ? page === "written" : names.includes(PAGE);
  const { data = false } = useQuery({
    queryKey: ["start-script", project, changed?.seq],
    queryFn: async ({ signal }) => hasStartScript((await readFile(project, MANIFEST, signal)).text),
    enabled: !ran && !isPage && isThere,
  });
  return ran || isPage || (isThere && data);
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
