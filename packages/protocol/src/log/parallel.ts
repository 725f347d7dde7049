/** Requests that run in parallel to a project's own work, as the log and the routes have them. */
import type { RunOutcome } from "./types.ts";

/** A parallel request, until it is merged or discarded. */
export interface ParallelRequest {
  id: string;
  text: string;
  /**
   * The first five as of an attempt. `merging`: it waits for the project to be at rest, or is being merged. `held`: the
   * person decides.
   */
  state: "waiting" | "making" | "going" | "stopped" | "failed" | "merging" | "held" | "merged";
  /** Its copy of the project, with a log and a preview of its own. */
  copy?: string;
  /** The checkpoint that the copy began with; project and copy have it. */
  base?: string;
  /** Why it could not begin. */
  problem?: string;
  /** Why it was not merged, while it is `held`. */
  held?: HeldReason;
}

/** Why a parallel request was not merged by itself. Nothing of it was changed in the project. */
export type HeldReason =
  /** It and others changed the same places of these files. `others` are the texts of those requests, if any is known. */
  | { code: "conflict"; values: { files: string[]; others: string[] } }
  /** It could be merged, but the merged revision failed. */
  | { code: "unfit"; values: { others: string[] } }
  /** Its own turn did not end with a revision that works. */
  | { code: "unfinished"; values: { outcome: RunOutcome } }
  /** The merge was stopped, or could not be carried out. */
  | { code: "unmerged"; values: { why: string } };
