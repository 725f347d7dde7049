import type { Evidence, EvidencePart, PageReport, PartEvidence } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { clipMiddle } from "../text/clip.ts";
import type { Clock, Looker } from "../types.ts";

/** What a person sees who opens the bead. */
const DETAIL_LIMIT = 8_000;
const PAGES_KEPT = 8;

/** What one look at a project works with. */
export interface Observation {
  workspace: Workspace;
  looker?: Looker;
  clock: Clock;
  signal: AbortSignal;
  /** Sets a part and tells of it. */
  settle(
    part: EvidencePart,
    state: PartEvidence["state"],
    summary: string,
    more?: { detail?: string; since?: number },
  ): void;
  page(report: PageReport): void;
  readonly evidence: Evidence;
}

/** @param onEvidence called with a copy after every change of a part. */
export function createObservation(
  options: Omit<Observation, "settle" | "page" | "evidence"> & {
    evidence: Evidence;
    onEvidence: (evidence: Evidence) => void;
  },
): Observation {
  const { evidence, onEvidence, clock } = options;
  return {
    ...options,
    settle(part, state, summary, { detail, since } = {}) {
      const now = clock.now();
      evidence.parts[part] = {
        state,
        summary,
        ...(detail ? { detail: clipMiddle(detail, DETAIL_LIMIT) } : {}),
        ...(state === "going" || state === "untried" ? {} : { at: now }),
        ...(since === undefined ? {} : { ms: Math.max(0, now - since) }),
      };
      onEvidence(structuredClone(evidence));
    },
    page(report) {
      evidence.pages.push(report);
      if (evidence.pages.length > PAGES_KEPT) evidence.pages.shift();
    },
  };
}
