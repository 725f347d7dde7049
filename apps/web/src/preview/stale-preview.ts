import type { Evidence } from "@treadle/protocol/evidence";
import { statusOf, isWorking } from "@treadle/protocol/fold";
import type { ProjectView } from "../fold/types.ts";

/** The state that the previewed page was loaded from. */
export interface LoadedFrom {
  filesSeq: number;
  upSeq: number;
  /**
   * The evidence for the current files at that time. It changes with each look, and when a checkpoint with earlier
   * evidence is restored.
   */
  seen: Evidence | undefined;
}

/**
 * How a page receives changes. `hot`: through its dev server. `sound`: it shows something and has thrown nothing.
 * `missed`: some changes came after it was loaded and before its dev server connected, and the server does not send
 * them later.
 */
export interface Takes {
  hot: boolean;
  sound: boolean;
  missed?: boolean;
}

export const loadedFrom = ({ filesSeq, upSeq, evidence: seen }: ProjectView): LoadedFrom => ({
  filesSeq,
  upSeq,
  seen,
});

/**
 * Whether a previewed page is out of date; false if no server runs. True if its server restarted. Otherwise true if
 * files changed and no hot update applied them. A broken page accepts no updates, so it is also stale once the current
 * files were seen to work; a page that still works is stale once the current files were seen to be broken, because a
 * dev server leaves the old page when the new one throws. Only a restart counts during a run or a look, since more
 * changes follow.
 */
export function isStale(
  view: ProjectView,
  loaded: LoadedFrom,
  { hot, sound, missed }: Takes,
): boolean {
  if (view.server?.state !== "up") return false;
  if (view.upSeq > loaded.upSeq) return true;
  if (isWorking(view)) return false;
  if ((missed || !(hot && sound)) && view.filesSeq > loaded.filesSeq) return true;
  if (view.evidence === loaded.seen) return false;
  const { page, console } = view.evidence?.parts ?? {};
  const isBroken = page?.state === "failed" || console?.state === "failed";
  const status = statusOf(view);
  return sound ? isBroken : status === "verified" || status === "runs";
}
