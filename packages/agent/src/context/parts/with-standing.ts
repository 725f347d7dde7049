import type { Evidence, Verdict } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { visibleText } from "@treadle/protocol/safe-text";
import type { UIMessage } from "ai";
import { clipLine } from "../../text/clip.ts";
import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";

const TYPE = "data-standing";
const INTRODUCTION = prose(new URL("./with-standing.md", import.meta.url));
/** Maximum length of the reason, and of each decision, in characters. */
const REASON_CHARS = 600;
const ITEM_CHARS = 200;
/** Maximum number of decisions and of hosts that are named. */
const NAMED = 12;

interface StandingPart {
  type: typeof TYPE;
  /** The text for the model. */
  data: { text: string };
}

const WORDS: Record<Verdict, string> = {
  verified: "Verified",
  runs: "Runs",
  failed: "Failed",
  unverified: "Not verified",
};

/**
 * Puts the last verdict in front of the person's message, with the person's decisions since:
 * accepted changes and allowed hosts. Returns the same message if there is no evidence yet.
 * @param allowed hosts that the app could not reach and that may be reachable now
 */
export function withStanding(
  message: UIMessage,
  evidence: Evidence | undefined,
  allowed: readonly string[] = [],
): UIMessage {
  if (!evidence) return message;
  const { verdict, reason } = judge(evidence);
  const agreed = (evidence.asked ?? []).filter(({ isAgreed }) => isAgreed === true);
  const lines = [
    `${WORDS[verdict]}: ${clipLine(reason, REASON_CHARS)}`,
    ...agreed
      .slice(0, NAMED)
      .map(({ what }) => `The person looked and agreed to: ${clipLine(what, ITEM_CHARS)}`),
    ...(allowed.length === 0
      ? []
      : [`The app may reach by now: ${allowed.slice(0, NAMED).join(", ")}`]),
  ];
  const part: StandingPart = { type: TYPE, data: { text: visibleText(lines.join("\n")) } };
  return { ...message, parts: [part, ...message.parts.filter(({ type }) => type !== TYPE)] };
}

/** The text of such a part for the model; undefined for any other part. */
export function tellStanding(part: { type: string; data: unknown }): string | undefined {
  if (part.type !== TYPE) return undefined;
  return `${INTRODUCTION}\n${fence("standing", (part as StandingPart).data.text)}`;
}
