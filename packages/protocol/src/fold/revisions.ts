import { EVIDENCE_PARTS, type Evidence, type Verdict } from "../evidence/types.ts";
import type { Draft } from "./draft.ts";
import type { KnownRevision, ProjectState } from "./types.ts";

/** Maximum number of revisions whose evidence the fold keeps (about 5 KB each): people rarely go back further. */
export const REVISIONS_KNOWN = 100;

/** Records that the files now have this revision; evidence stored for it applies again. */
export function nameRevision({ state }: Draft<ProjectState>, revision: string): void {
  // A run that ended before its files were checked has no revision.
  if (revision === "") return;
  state.revision = revision;
  state.evidence = state.known.get(revision)?.evidence ?? state.evidence;
}

/** Records evidence about a revision, which becomes the current one. */
export function noteEvidence(draft: Draft<ProjectState>, evidence: Evidence, at: number): void {
  const { revision } = evidence;
  const known = draft.state.known.get(revision);
  const last = known?.evidence;
  const before = last && isWhole(last) ? last : known?.before;
  record(draft, revision, { ...known, evidence, before: isWhole(evidence) ? undefined : before });
  draft.state.evidenceAt = at;
  nameRevision(draft, revision);
}

/** Records a turn's verdict for the revision that it left. */
export function noteEnd(draft: Draft<ProjectState>, revision: string, end: Verdict): void {
  if (revision !== "") record(draft, revision, { ...draft.state.known.get(revision), end });
}

/**
 * Ends the current check. An interrupted check does not count: the evidence before it applies, if there is any.
 * @param asked the check was requested outside a turn: its complete evidence replaces the turn's verdict
 */
export function settleEvidence(draft: Draft<ProjectState>, asked: boolean): void {
  const { evidence, known } = draft.state;
  const seen = evidence && known.get(evidence.revision);
  if (!evidence || !seen) return;
  if (isWhole(evidence)) {
    if (asked) record(draft, evidence.revision, { evidence });
    return;
  }
  const left = seen.before ?? cutShort(evidence);
  draft.state.evidence = left;
  record(draft, evidence.revision, { evidence: left, end: seen.end });
}

function record(draft: Draft<ProjectState>, revision: string, what: KnownRevision): void {
  const known = draft.own("known");
  // The least recently used revision is dropped first.
  known.delete(revision);
  known.set(revision, what);
  if (known.size > REVISIONS_KNOWN)
    for (const oldest of known.keys())
      if (oldest !== draft.state.revision) {
        known.delete(oldest);
        break;
      }
}

/** Whether a check is complete: nothing is in progress, and untried parts have a reason. */
function isWhole({ parts }: Evidence): boolean {
  const states = EVIDENCE_PARTS.map((part) => parts[part].state);
  if (states.includes("going")) return false;
  if (states.includes("failed") || states.every((state) => state === "untried")) return true;
  return parts.serve.state !== "untried";
}

function cutShort(evidence: Evidence): Evidence {
  const parts = { ...evidence.parts };
  for (const part of EVIDENCE_PARTS)
    if (parts[part].state === "going")
      parts[part] = { state: "untried", summary: "the look was cut short" };
  return { ...evidence, parts };
}
