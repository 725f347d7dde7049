import type { ProjectView } from "./types.ts";

/** The files stand so now. */
export function nameRevision(view: ProjectView, revision: string): void {
  // A run that ended before its files were looked at has none to name.
  if (revision === "") return;
  view.revision = revision;
  view.stale = false;
}
