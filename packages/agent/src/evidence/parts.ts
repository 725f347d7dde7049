import type {
  CheckReport,
  Evidence,
  EvidencePart,
  PageReport,
  PartEvidence,
} from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { clipMiddle } from "../text/clip.ts";
import { refusedNote } from "../tools/refused-hosts.ts";
import type { Clock, Looker, PicturePort } from "../types.ts";

/** What a person sees who opens the bead. */
const DETAIL_LIMIT = 8_000;
const PAGES_KEPT = 8;

/** What one look at a project works with. */
export interface Observation {
  workspace: Workspace;
  looker?: Looker;
  /** Absent: no pictures are taken. */
  keepPicture?: PicturePort["keep"];
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
  /** What came of the project's own checks until now, and tells of it. */
  checks(reports: CheckReport[]): void;
  readonly evidence: Evidence;
}

/** @param onEvidence called with a copy after every change of a part. */
export function createObservation(
  options: Omit<Observation, "settle" | "page" | "checks" | "evidence"> & {
    evidence: Evidence;
    /** Hosts that something inside was refused since the look began; grows meanwhile. */
    refused: ReadonlySet<string>;
    onEvidence: (evidence: Evidence) => void;
  },
): Observation {
  const { evidence, onEvidence, clock, refused } = options;
  return {
    ...options,
    settle(part, state, summary, { detail: seen, since } = {}) {
      const now = clock.now();
      // What was refused is said where it may be the cause.
      const detail = state === "failed" ? `${seen ?? ""}${refusedNote(refused)}` : seen;
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
    checks(reports) {
      evidence.checks = reports;
      onEvidence(structuredClone(evidence));
    },
  };
}
