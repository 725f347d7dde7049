import { toProjectPath } from "@treadle/protocol/project-path";
import { useQuery } from "@tanstack/react-query";
import { readFile } from "../api/files.ts";
import { useView } from "../live/live-context.tsx";
import { useFileNames } from "../api/use-file-names.ts";

const MANIFEST = toProjectPath("package.json");
/** Treadle serves plain files itself, without a server in the project. */
const PAGE = toProjectPath("index.html");

/** Commands that run a script of the root folder's manifest; commands in other folders do not need it. */
const OF_MANIFEST = /^(?:npm|pnpm|yarn|bun)(?: run)? \w[\w:-]*(?: -- .*)?$/;
const OF_PAGE = /^treadle-serve\b/;

/**
 * Whether the project can be started: by the command that started it before, by a script in its manifest, or because it
 * has an `index.html`. False until known.
 */
export function useCanStart(project: string): boolean {
  const command = useView((view) => view.server?.command ?? "");
  const changed = useView((view) => view.changes.get(MANIFEST));
  const page = useView((view) => view.changes.get(PAGE)?.kind);
  const names = useFileNames(project);
  // The list may be outdated; a change in the log takes precedence.
  const isThere = changed ? changed.kind === "written" : names.includes(MANIFEST);
  const isPage = page ? page === "written" : names.includes(PAGE);
  // Going back to a checkpoint may have removed the files that the earlier command needs.
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

/** Whether a manifest has one of the scripts that the server accepts. */
function hasStartScript(text = ""): boolean {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return [scripts?.["dev"], scripts?.["start"]].some((script) => typeof script === "string");
  } catch {
    return false;
  }
}
