import type { Evidence } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { codedWords } from "../words/coded-words.ts";
import { heldParts } from "./held-parts.ts";
import { listed, words } from "../words/words.ts";

/**
 * Describes a look at the app in one line: the part in progress, else the part that failed, else the parts that hold.
 */
export function lookTitle(evidence: Evidence): {
  title: string;
  failed: boolean;
  isGoing: boolean;
} {
  const { parts, pages, checks = [] } = evidence;
  const activePart = EVIDENCE_PARTS.find((part) => parts[part].state === "going");
  if (activePart)
    return { title: words.conversation.going[activePart], failed: false, isGoing: true };
  const trying = checks.find(({ state }) => state === "going");
  if (trying)
    return {
      title: words.conversation.trying({ name: trying.name }),
      failed: false,
      isGoing: true,
    };
  const failed = EVIDENCE_PARTS.find((part) => parts[part].state === "failed");
  const broken = checks.filter(({ state }) => state === "failed");
  if (!failed && broken.length > 0) {
    const [first] = broken;
    const what =
      first && broken.length === 1
        ? words.conversation.checkFailed({ name: first.name })
        : words.conversation.checksFailed({ amount: broken.length });
    return { title: words.conversation.lookedIs({ what }), failed: true, isGoing: false };
  }
  if (!failed) {
    const held = heldParts(evidence);
    return {
      title:
        held.length === 0
          ? words.conversation.looked
          : words.conversation.lookedIs({ what: listed(held) }),
      failed: false,
      isGoing: false,
    };
  }
  const page = pages.at(-1);
  const errors = page ? page.uncaughtErrors.length + page.consoleErrors.length : 0;
  const seen = failed === "page" || failed === "console";
  return {
    title: words.conversation.lookedIs({
      what:
        seen && errors > 0
          ? words.conversation.errors({ amount: errors })
          : codedWords(parts[failed].summary, parts[failed].summaryCode),
    }),
    failed: true,
    isGoing: false,
  };
}
