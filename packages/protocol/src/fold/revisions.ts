import { EVIDENCE_PARTS, type Evidence, type Verdict } from "../evidence/types.ts";
import type { Draft } from "./draft.ts";
import type { KnownRevision, ProjectState } from "./types.ts";

/** Revisions of which is kept what was seen. Evidence has some 5 KB, and few go back further than this. */
export const REVISIONS_KNOWN = 100;

/** The files stand so now, and what was seen of them counts again. */
export function nameRevision({ state }: Draft<ProjectState>, revision: string): void {
  // A run that ended before its files were looked at has none to name.
  if (revision === "") return;
  state.revision = revision;
  state.evidence = state.known.get(revision)?.evidence ?? state.evidence;
}

/** Something was observed of a revision: it is the one that stands. */
export function noteEvidence(draft: Draft<ProjectState>, evidence: Evidence, at: number): void {
  const { revision } = evidence;
  const known = draft.state.known.get(revision);
  const last = known?.evidence;
  const before = last && isWhole(last) ? last : known?.before;
  record(draft, revision, { ...known, evidence, before: isWhole(evidence) ? undefined : before });
  draft.state.evidenceAt = at;
  nameRevision(draft, revision);
}

/** What a turn came to, by the revision that it left. */
export function noteEnd(draft: Draft<ProjectState>, revision: string, end: Verdict): void {
  if (revision !== "") record(draft, revision, { ...draft.state.known.get(revision), end });
}

/**
 * Whatever looked is over. A look that was cut short says nothing: what was seen before counts, if anything was.
 * @param asked it was no turn's, and came after that: what it saw of the whole revision takes the place of a turn's word
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
  // What was touched last is forgotten last.
  known.delete(revision);
  known.set(revision, what);
  if (known.size > REVISIONS_KNOWN)
    for (const oldest of known.keys())
      if (oldest !== draft.state.revision) {
        known.delete(oldest);
        break;
      }
}

/** Whether a look has come to its end: nothing goes on, and what was not tried was left out for a reason. */
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
