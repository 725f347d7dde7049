import type { Evidence } from "@treadle/protocol";
import { doesCount, EVIDENCE_PARTS, missedHosts } from "@treadle/protocol/evidence";
import { listed, words } from "../words/words.ts";

/** Maximum number of hosts named. */
const MAX_HOSTS = 3;

/**
 * The parts of the evidence that hold, in words: "installed", "page rendered", followed by those of `notableParts`.
 */
export function heldParts(evidence: Evidence): string[] {
  const { parts } = evidence;
  const { needed } = missedHosts(evidence);
  const held = words.conversation.held;
  const served = parts.page.state === "inapplicable" ? held.answered : held.serve;
  const isNotable = (part: (typeof EVIDENCE_PARTS)[number]) =>
    parts[part].state === "held" && !(part === "console" && needed.length > 0);
  const sentences = EVIDENCE_PARTS.filter(isNotable).map((part) =>
    part === "serve" ? served : held[part],
  );
  return [...sentences, ...notableParts(evidence)];
}

/**
 * Facts that the marks of the evidence do not show: external hosts that were not reached, the number of checks that
 * passed, and checks that were rewritten.
 */
export function notableParts(evidence: Evidence): string[] {
  const { checks = [] } = evidence;
  const { needed, others } = missedHosts(evidence);
  const hosts = [...needed, ...others];
  const more = hosts.length > MAX_HOSTS ? ["…"] : [];
  const passed = checks.filter(doesCount).length;
  const rewrittenChecks = checks.filter(({ rewritten }) => rewritten);
  return [
    ...(hosts.length > 0
      ? [words.conversation.notReached({ hosts: listed([...hosts.slice(0, MAX_HOSTS), ...more]) })]
      : []),
    ...(passed > 0 ? [words.conversation.checksPassed({ amount: passed })] : []),
    ...(rewrittenChecks.length > 0
      ? [`${listed(rewrittenChecks.map(({ name }) => `“${name}”`))} ${words.evidence.rewritten}`]
      : []),
  ];
}
