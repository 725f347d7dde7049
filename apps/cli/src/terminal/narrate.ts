import type { ApprovalQuestion, LogEvent, ProtectedChange } from "@treadle/protocol";
import { isForeignTool, toolKind } from "@treadle/protocol/tools";
import { plain } from "./plain.ts";
import { shownSubject } from "./shown-subject.ts";

export const VERDICT = {
  verified: "Verified",
  runs: "Runs",
  failed: "Failed",
  unverified: "Not verified",
} as const;

/**
 * Formats one log event for a terminal; empty if the event is not shown. Removes control characters in the output of
 * models and programs, so that they cannot move the cursor or set the window's title (A41).
 * @param waitedMs milliseconds since the command was given; a run's own time excludes preparation
 */
export function narrate(event: LogEvent, waitedMs?: number): string {
  switch (event.type) {
    case "text":
      return event.whole ? "" : plain(event.text);
    case "call-end":
      return `\n  ${event.status === "ok" ? "·" : "×"} ${plain(event.title)}${seconds(event.ms)}\n${reason(event)}`;
    case "waiting":
      return event.reason === "model" ? "" : `\n  … ${plain(event.text)}\n`;
    case "mentioned":
      return event.items
        .map(({ text, ok, said: what }) =>
          ok
            ? `\n  · Given: ${plain(text)} (${plain(what)})\n`
            : `\n  × Not given: ${plain(text)}, ${plain(what)}\n`,
        )
        .join("");
    case "repair":
      return `\n  ↻ Repairing (${event.attempt} of ${event.limit}): ${plain(event.reason)}\n`;
    case "pictures-refused":
      return `\n  … ${plain(event.model)} reads no pictures: it is asked again without them\n`;
    case "tools-missing":
      return event.servers
        .map(({ name, why }) => `\n  × Without the tools of ${plain(name)}: ${plain(why)}\n`)
        .join("");
    case "question":
      return event.question.kind === "words"
        ? `\n  ? ${plain(event.question.text)}\n`
        : `\n  ? ${asksLeave(event.question)}\n`;
    case "egress-refused":
      return `\n  × The sandbox refused a connection to ${plain(event.host)}\n`;
    case "protected-changed":
      return event.files.map((file) => `\n  ! ${protectedFile(file, event.state)}\n`).join("");
    case "run-end": {
      const { verdict, outcome } = event;
      // A reached limit is described the same way, whether or not there was evidence before.
      const limited = outcome === "budget";
      const word = verdict && !limited ? VERDICT[verdict] : ENDED[outcome];
      const why = plain(event.error?.message ?? event.summary);
      const text = limited && verdict ? `${why} ${VERDICT[verdict]}.` : why;
      // The summary of a verdict begins with the verdict itself.
      const line = text.startsWith(`${word}: `) ? text : `${word} — ${text}`;
      return `\n${line}\n${describeRunEnd(event)}${cost(event, waitedMs ?? event.ms)}\n`;
    }
    default:
      return "";
  }
}

/** Words for a run's outcome, used if it has no verdict or a limit stopped it. */
export const ENDED = {
  done: "Done",
  stopped: "Stopped",
  interrupted: "Interrupted",
  error: "Stopped by an error",
  budget: "Stopped by the budget",
} as const;

/** Maximum length of the reason for a failure. */
const REASON_LENGTH = 200;

/** Describes a change to a file that takes effect outside the sandbox, made without permission. */
function protectedFile(
  { path, version, told: wasReported }: ProtectedChange,
  state: "stands" | "put-back",
): string {
  const scripts = /(?:^|\/)package\.json$/i.test(path) ? " (install scripts)" : "";
  const what = `${plain(path)}${scripts} was ${version === "" ? "removed" : "changed"} by a program of the project, or in another editor while it ran`;
  if (state === "put-back")
    return `${what}, and was put back. The changed version is in the history.`;
  return wasReported && version !== ""
    ? `${what}. The model does not see it until you accept it with --accept-rules.`
    : `${what}.`;
}

/**
 * Describes what needs permission. If it has several lines, each is marked, so that none looks like
 * our own text.
 */
function asksLeave(question: ApprovalQuestion): string {
  const lines = shownSubject(subjectOf(question));
  const why = plain(question.why);
  if (lines.length <= 1) return `${lines.join("")}: ${why}`;
  return [why, ...lines.map((line) => `    | ${line}`)].join("\n");
}

/**
 * The subject of a question; for a tool of a tool server only the server and the tool, because the
 * rest is for machines.
 */
const subjectOf = ({ tool, subject }: ApprovalQuestion) =>
  toolKind(tool) === "moves"
    ? `rename ${subject.what.join(" → ")}`
    : subject.what.slice(0, isForeignTool(tool) ? 2 : undefined).join(", ");

/** The reason why a call failed: the first line of the result that the model received. */
function reason({ status, result }: Extract<LogEvent, { type: "call-end" }>): string {
  const [line = ""] = status === "error" ? plain(result).split("\n", 1) : [];
  return line === "" ? "" : `    ${line.slice(0, REASON_LENGTH)}\n`;
}

/** The model's own words about its work; omitted if the project was seen to be broken. */
function describeRunEnd({ said: words, verdict }: Extract<LogEvent, { type: "run-end" }>): string {
  if (!words || verdict === "failed") return "";
  return [words.done, words.try].flatMap((text) => (text ? [`${plain(text)}\n`] : [])).join("");
}

function cost(event: Extract<LogEvent, { type: "run-end" }>, ms: number): string {
  const { inputTokens, outputTokens, costUsd } = event.usage;
  const tokens = `${(inputTokens + outputTokens).toLocaleString("en")} tokens`;
  const money = costUsd === undefined ? "" : ` · $${costUsd.toFixed(2)}`;
  return `${(ms / 1000).toFixed(1)} s · ${event.steps} ${event.steps === 1 ? "step" : "steps"} · ${tokens}${money}`;
}

function seconds(ms: number): string {
  return ms < 100 ? "" : ` ${(ms / 1000).toFixed(1)} s`;
}
