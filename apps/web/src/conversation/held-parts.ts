import type { Evidence } from "@treadle/protocol";
import { doesCount, EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { listed, words } from "../words/words.ts";

/** What was seen to hold: "installed", "page rendered", "2 checks passed". */
export function heldParts({ parts, checks = [] }: Evidence): string[] {
  const held = words.conversation.held;
  const served = parts.page.state === "inapplicable" ? held.answered : held.serve;
  const said = EVIDENCE_PARTS.filter((part) => parts[part].state === "held").map((part) =>
    part === "serve" ? served : held[part],
  );
  const passed = checks.filter(doesCount).length;
  const anew = checks.filter(({ rewritten }) => rewritten);
  return [
    ...said,
    ...(passed > 0 ? [words.conversation.checksPassed(passed)] : []),
    ...(anew.length > 0
      ? [`${listed(anew.map(({ name }) => `“${name}”`))} ${words.evidence.rewritten}`]
      : []),
  ];
}
