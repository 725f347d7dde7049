import type { CodedText, Verdict } from "@treadle/protocol";
import { VERDICTS } from "@treadle/protocol/evidence";
import { ApiFailure } from "@treadle/common";
import type { ListedCommit } from "../branches.ts";
import { setStatuses, type StatusReport } from "../forges/commit-statuses.ts";
import type { CommitVerdict } from "../forges/types.ts";
import { forgeHost, openForge } from "./project-forge.ts";
import type { SyncParts } from "./git-project.ts";
import type { Place } from "./project-repository.ts";

/** Number of commits with a status, and why others have none. */
export interface ReportedVerdicts {
  set: number;
  failure?: { code: string; message: string; messageCode?: CodedText | undefined } | undefined;
}

/**
 * Sets the verdicts of pushed commits as their statuses on the server. Never fails, since the
 * commits are already pushed.
 * @param pushed newest first
 * @returns undefined if there is nothing to set, nobody is signed in, or the server has no API for
 * it
 */
export async function reportVerdicts(
  parts: SyncParts,
  { state }: Place,
  pushed: readonly ListedCommit[],
): Promise<ReportedVerdicts | undefined> {
  const commits = pushed.flatMap(({ id, verdict }): CommitVerdict[] =>
    isVerdict(verdict) ? [{ commit: id, verdict }] : [],
  );
  if (commits.length === 0 || state.forge === "none") return undefined;
  if (!(await parts.logins.read(forgeHost(state.url)))) return undefined;
  try {
    const { place, client } = await openForge(parts, state);
    return described(await setStatuses(client, place, commits));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return error.code === "git-no-api" ? undefined : described({ set: 0, failure: error });
  }
}

const isVerdict = (word: string | undefined): word is Verdict =>
  VERDICTS.some((verdict) => verdict === word);

const described = ({ set, failure }: StatusReport): ReportedVerdicts => ({
  set,
  failure: failure && {
    code: failure.code,
    message: failure.message,
    messageCode: failure.coded as CodedText | undefined,
  },
});
