/** Requests that run in parallel to a project's own work, in the log and in routes. */
import type { RunOutcome } from "./types.ts";

/** A parallel request, until it is merged or discarded. */
export interface ParallelRequest {
  id: string;
  text: string;
  /**
   * The first five as for an attempt. `merging`: waits for the project to be idle, or is being
   * merged. `held`: the person has to decide.
   */
  state: "waiting" | "making" | "going" | "stopped" | "failed" | "merging" | "held" | "merged";
  /** Its copy of the project, with a separate log and preview. */
  copy?: string;
  /** The checkpoint from which the copy started, in project and copy. */
  base?: string;
  /** Why it could not start. */
  problem?: string;
  /** Why it was not merged, while it is `held`. */
  held?: HeldReason;
}

/** Why a parallel request was not merged automatically. The project is unchanged. */
export type HeldReason =
  /** It and others changed the same places of these files. `others` are the texts of those requests, if any is known. */
  | { code: "conflict"; values: { files: string[]; others: string[] } }
  /** It could be merged, but the merged revision failed. */
  | { code: "unfit"; values: { others: string[] } }
  /** Its own turn did not end with a working revision. */
  | { code: "unfinished"; values: { outcome: RunOutcome } }
  /** The merge was stopped, or failed. */
  | { code: "unmerged"; values: { why: string } };
