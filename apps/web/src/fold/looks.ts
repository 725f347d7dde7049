import type { Evidence } from "@treadle/protocol";
import type { ViewDraft } from "./draft.ts";

/**
 * Adds evidence to the run's turn, unless none of it comes from a look. Replaces the evidence of the turn's last look
 * if that was at the same revision and no repair followed it.
 */
export function recordLook(draft: ViewDraft, run: string, evidence: Evidence): void {
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
