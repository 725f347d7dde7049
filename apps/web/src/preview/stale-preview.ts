import type { ProjectView } from "../fold/types.ts";

/** What the page in the preview was loaded from. */
export interface LoadedFrom {
  filesSeq: number;
  upSeq: number;
}

export const loadedFrom = ({ filesSeq, upSeq }: ProjectView): LoadedFrom => ({ filesSeq, upSeq });

/**
 * Whether a previewed page shows what is not there any more: its server was started anew, or files changed and nobody
 * (`hot`: its dev server) brought the change into it. While a run goes on it is left alone, since more will change.
 */
export function isStale(view: ProjectView, loaded: LoadedFrom, hot: boolean): boolean {
  if (view.server?.state !== "up") return false;
  if (view.upSeq > loaded.upSeq) return true;
  return !hot && view.open === undefined && view.filesSeq > loaded.filesSeq;
}
