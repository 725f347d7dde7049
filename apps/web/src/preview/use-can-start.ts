import { toProjectPath } from "@treadle/protocol/project-path";
import { useQuery } from "@tanstack/react-query";
import { readFile } from "../api/files.ts";
import { useView } from "../live/live-context.tsx";
import { useFileNames } from "../api/use-file-names.ts";

const MANIFEST = toProjectPath("package.json");
/** Files that need no server of their own are served by Treadle's. */
const PAGE = toProjectPath("index.html");

/** A script of the project's own folder; what is run elsewhere needs no manifest here. */
const OF_MANIFEST = /^(?:npm|pnpm|yarn|bun)(?: run)? \w[\w:-]*(?: -- .*)?$/;
const OF_PAGE = /^treadle-serve\b/;

/** Whether the project has something that can be started: what ran before, or a script for it. False until it is known. */
export function useCanStart(project: string): boolean {
  const command = useView((view) => view.server?.command ?? "");
  const changed = useView((view) => view.changes.get(MANIFEST));
  const page = useView((view) => view.changes.get(PAGE)?.kind);
  const names = useFileNames(project);
  // The list may be of before; what the log says of it is newer, where it says something.
  const isThere = changed ? changed.kind === "written" : names.includes(MANIFEST);
  const isPage = page ? page === "written" : names.includes(PAGE);
  // What ran before is gone with the files that it lived on, when those were gone back from.
  const isGone =
    (OF_MANIFEST.test(command) ? changed?.kind : OF_PAGE.test(command) && page) === "removed";
  const ran = command !== "" && !isGone;
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
