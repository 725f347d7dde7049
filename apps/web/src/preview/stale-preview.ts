import type { Evidence } from "@treadle/protocol/evidence";
import { statusOf, isWorking } from "@treadle/protocol/fold";
import type { ProjectView } from "../fold/types.ts";

/** What the page in the preview was loaded from. */
export interface LoadedFrom {
  filesSeq: number;
  upSeq: number;
  /** What was seen by then of the files that stood; another comes with each look, and with going back to what was seen before. */
  seen: Evidence | undefined;
}

/**
 * How a page takes changes in. `hot`: its dev server brings them. `sound`: it shows something, and threw nothing. `missed`:
 * some came after it was loaded and before its dev server was connected, which tells nobody of them later.
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
 * Whether a previewed page shows what is not there any more: its server was started anew, or files changed and nobody
 * (`hot`: its dev server) brought the change into it. Into a page that is broken nothing can be brought; it is loaded
 * again, too, when what stands was seen to work since; and one that still shows what worked, when what stands was seen to
 * be broken: a dev server leaves the old page where the new one throws. While a run or a look goes on it is left alone, since more will
 * change.
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
