import type { Evidence } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import type { Draft } from "./draft.ts";
import type { ProjectView } from "./types.ts";

/** A look that its run's end cut short goes on no more. */
export function settleEvidence(view: ProjectView): void {
  const { evidence } = view;
  if (!evidence || !EVIDENCE_PARTS.some((part) => evidence.parts[part].state === "going")) return;
  const parts = { ...evidence.parts };
  for (const part of EVIDENCE_PARTS)
    if (parts[part].state === "going")
      parts[part] = { state: "untried", summary: "the look was cut short" };
  view.evidence = { ...evidence, parts };
}

/** A look is one line of the turn for each revision that was looked at, at the place of the first look. */
export function noteLook(draft: Draft, run: string, evidence: Evidence): void {
  const { build, serve, page, console } = evidence.parts;
  const looked = [build, serve, page, console].some(
    ({ state }) => state === "going" || state === "held" || state === "failed",
  );
  const turn = draft.turnOfRun(run);
  if (!turn || !looked) return;
  const index = turn.items.findLastIndex((item) => item.kind === "repair" || item.kind === "look");
  const item = turn.items[index];
  if (item?.kind === "look" && item.evidence.revision === evidence.revision)
    turn.items[index] = { kind: "look", evidence };
  else turn.items.push({ kind: "look", evidence });
}
