import type { Verdict } from "@treadle/protocol";
import { ApiFailure } from "@treadle/common";
import { failureOfForge, isGood, type ForgeClient } from "./forge-client.ts";
import type { CommitVerdict, ForgePlace } from "./types.ts";

/** Maximum number of commits per push that get a status; older ones get none. */
const STATUSES = 20;

/** Texts of the statuses, of at most 140 characters, which is GitHub's limit. */
const DESCRIPTIONS: Record<Verdict, string> = {
  verified: "Seen to work, and a check shows everything that was asked for",
  runs: "Seen to work, but not everything that was asked for was tried",
  failed: "Seen not to work",
  unverified: "Could not be seen to work",
};

/** The result of setting statuses: how many were set, and why the others were not. */
export interface StatusReport {
  set: number;
  failure?: ApiFailure;
}

/**
 * Sets the verdict of each commit as its status. Stops at the first failure, since the others would
 * fail as well.
 * @param commits newest first
 */
export async function setStatuses(
  client: ForgeClient,
  place: ForgePlace,
  commits: readonly CommitVerdict[],
): Promise<StatusReport> {
  let set = 0;
  for (const commit of commits.slice(0, STATUSES)) {
    try {
      const call = client.forge.status(place, commit, DESCRIPTIONS[commit.verdict]);
      const answer = await client.send(call);
      if (!isGood(answer)) return { set, failure: failureOfForge(answer, client.host) };
    } catch (error) {
      if (error instanceof ApiFailure) return { set, failure: error };
      throw error;
    }
    set++;
  }
  return { set };
}
