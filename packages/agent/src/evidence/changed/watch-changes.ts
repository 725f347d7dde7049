import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { clipLine } from "../../text/clip.ts";

/** Maximum number of paths that are named, and that are remembered. */
const NAMED = 3;
const KEPT = 100;

/**
 * Records which files change during the looks at a project; those that change each time explain why
 * it cannot be judged.
 */
export interface ChangeWatch {
  /** Begins the next look. */
  again(): void;
  /** Files that changed during the last look and are not known as the app's data, in words. */
  words(): string;
  close(): void;
}

export function watchChanges(workspace: Pick<Workspace, "listen" | "dataFiles">): ChangeWatch {
  let changed = new Set<ProjectPath>();
  const close = workspace.listen((notice) => {
    if (notice.type !== "files") return;
    for (const { path } of notice.changes) if (changed.size < KEPT) changed.add(path);
  });
  return {
    again: () => void (changed = new Set()),
    words() {
      const data = new Set(workspace.dataFiles());
      const paths = [...changed].filter((path) => !data.has(path)).toSorted();
      if (paths.length === 0) return "the files kept changing while they were looked at";
      const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
      const named = clipLine(paths.slice(0, NAMED).join(", "), 200);
      return `${named}${more} kept changing while the project was looked at`;
    },
    close,
  };
}
