import type { Evidence, RunOutcome, Verdict } from "@treadle/protocol";
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

/** What happened since the model was last asked. */
export interface TurnsBefore {
  /** How the turn before ended. Absent for the first one. */
  lastOutcome?: RunOutcome | undefined;
  /** Hosts that the app could not reach in the last evidence and that may be reachable now. */
  nowAllowed?: readonly string[] | undefined;
}

const WORDS: Record<Verdict, string> = {
  verified: "Verified",
  runs: "Runs",
  failed: "Failed",
  unverified: "Not verified",
};

/** Notes about why the previous turn is incomplete; a turn that is `done` needs none. */
const CUT_OFF: Record<Exclude<RunOutcome, "done">, string> = {
  stopped: "The person stopped the turn before this one: what it had not done yet is not done.",
  interrupted: "The turn before this one was interrupted: what it had not done yet is not done.",
  error: "The turn before this one ended with an error: what it had not done yet is not done.",
  budget: "The turn before this one reached its budget: what it had not done yet is not done.",
};

/**
 * Puts in front of the person's message how the turn before ended, if it was cut off, the last
 * verdict, and the person's decisions since: accepted changes and allowed hosts. Returns the same
 * message if there is nothing to say.
 */
export function withStanding(
  message: UIMessage,
  evidence: Evidence | undefined,
  { lastOutcome = "done", nowAllowed = [] }: TurnsBefore,
): UIMessage {
  const lines = [
    ...(lastOutcome === "done" ? [] : [CUT_OFF[lastOutcome]]),
    ...(evidence ? evidenceLines(evidence) : []),
    ...(nowAllowed.length === 0
      ? []
      : [`The app may reach by now: ${nowAllowed.slice(0, NAMED).join(", ")}`]),
  ];
  if (lines.length === 0) return message;
  const part: StandingPart = { type: TYPE, data: { text: visibleText(lines.join("\n")) } };
  return { ...message, parts: [part, ...message.parts.filter(({ type }) => type !== TYPE)] };
}

function evidenceLines(evidence: Evidence): string[] {
  const { verdict, reason } = judge(evidence);
  const agreed = (evidence.asked ?? []).filter(({ isAgreed }) => isAgreed === true);
  return [
    `${WORDS[verdict]}: ${clipLine(reason, REASON_CHARS)}`,
    ...agreed
      .slice(0, NAMED)
      .map(({ what }) => `The person looked and agreed to: ${clipLine(what, ITEM_CHARS)}`),
  ];
}

/** The text of the last verdict for the model; undefined if the part is of another type. */
export function tellStanding(part: { type: string; data: unknown }): string | undefined {
  if (part.type !== TYPE) return undefined;
  return `${INTRODUCTION}\n${fence("standing", (part as StandingPart).data.text)}`;
}
