import type { Evidence, TurnFault } from "@treadle/protocol";
import { type SentenceCode } from "@treadle/protocol/sentences";
import { holdsContent, toolKind } from "@treadle/protocol/tools";
import { clipLine } from "../text/clip.ts";
import type { ToolCall, CallOutcome } from "./tool-call.ts";

/** Faults of a turn, by the key of the later call that would clear each of them. */
export type Faults = Map<string, TurnFault>;

/** Maximum number of recorded faults (the first ones), and of characters of each. */
const KEPT = 50;
const WORDS = 160;

const INSTALLS = /^\s*(?:npm|pnpm|yarn|bun)\s+(?:i|install|ci|add)\b|^\s*yarn\s*$/;
/** Search commands: finding nothing is a valid answer. */
const LOOKS =
  /^\s*(?:treadle-db\s+(?:query|where)|ls|cat|grep|rg|find|test|\[|which|head|tail|git|curl|wget|ps|pkill|kill|killall|lsof|ss|netstat|echo|stat|file|wc|diff|sed|sleep|timeout)\b/;

/**
 * Whether the exit status of a command line is that of search commands only. A shell's status is that of the last list
 * (after `;` or a line break): of its parts between `&&` and `||`, each by the last command of its pipe.
 */
function onlyLooks(line: string): boolean {
  // Operators in quotes join nothing.
  const bare = line.replaceAll(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'/gs, "_").trim();
  const last = bare.split(/;|\n/).findLast((list) => list.trim() !== "") ?? "";
  return last
    .split(/&&|\|\|/)
    .map((pipe) => pipe.split("|").at(-1)!)
    .filter((command, _index, all) => all.length === 1 || !/^\s*cd\b/.test(command))
    .every((command) => LOOKS.test(command));
}

/** Whether a call succeeded, or only ran search commands: their failure, such as finding nothing, is an answer. */
export const isAnswered = ({ tool, input, outcome }: ToolCall): boolean =>
  outcome?.status === "ok" ||
  (outcome?.status === "error" &&
    toolKind(tool) === "runs" &&
    onlyLooks(String(input?.["command"] ?? "")));

/** Title codes of commands that became the app's server. */
const STARTED: ReadonlySet<string> = new Set<SentenceCode>(["started", "started-on"]);

/** Records a call's failure; a success removes the faults that it clears. */
export function noteFault(faults: Faults, call: ToolCall, outcome: CallOutcome): void {
  const { tool } = call;
  const subject = subjectOf(call);
  if (outcome.status === "ok") {
    faults.delete(`call ${tool}`);
    if (subject !== undefined) faults.delete(subject);
    const ending = `end of ${subject ?? tool}`;
    if (!call.endGuessed) faults.delete(ending);
    else if (faults.size < KEPT)
      faults.set(ending, { said: clipLine(`the end of ${pathOf(call) || tool} was missing and was guessed`, WORDS), takesAway: false }); // prettier-ignore
    // A command that keeps running and listens is the server.
    if (toolKind(tool) === "runs" && outcome.titleCode && STARTED.has(outcome.titleCode.code))
      faults.delete("start");
    return;
  }
  const fault = faultOf(call, outcome, subject);
  if (!fault || (faults.size >= KEPT && !faults.has(fault.key))) return;
  const { key, said: message, saidCode, takesAway } = fault;
  const isWhole = message.length <= WORDS;
  faults.set(key, {
    said: clipLine(message, WORDS),
    saidCode: isWhole ? saidCode : undefined,
    takesAway,
  });
}

/** The evidence, together with the turn's faults. */
export function withFaults(evidence: Evidence, faults: Faults): Evidence {
  const { turn: _before, ...seen } = evidence;
  return faults.size === 0 ? seen : { ...seen, turn: [...faults.values()] };
}

function faultOf(
  call: ToolCall,
  { status, title, titleCode }: CallOutcome,
  subject: string | undefined,
): (TurnFault & { key: string }) | undefined {
  const { tool } = call;
  // A denied command is no fault. A denied write is one, since the file lacks the change.
  if (status === "denied")
    return toolKind(tool) === "writes" && subject !== undefined
      ? {
          key: subject,
          said: `the change of ${pathOf(call) || "a file"} was not allowed`,
          takesAway: false,
        }
      : undefined;
  if (call.invalid !== undefined)
    return { key: `call ${tool}`, said: `${title}, and it was not called again`, takesAway: false };
  if (subject === undefined) return undefined;
  if (status === "error")
    return {
      key: subject,
      said: title.replace(/^Did not/, "did not"),
      saidCode: titleCode,
      takesAway: false,
    };
  if (!holdsContent(tool))
    return { key: subject, said: `${tool} was cut off and not run`, takesAway: false };
  const path = pathOf(call);
  // A later check would look at the earlier file, or at none: the intended content is missing.
  return {
    key: subject,
    said: `${path || "a file"} was cut off while it was written, and never written again`,
    takesAway: true,
  };
}

/**
 * The key of a call's fault: a later call with the same key clears it. Undefined for calls whose failure is no fault.
 */
function subjectOf(call: ToolCall): string | undefined {
  const { tool, input } = call;
  const kind = toolKind(tool);
  if (kind === "writes") return `file ${pathOf(call)}`;
  if (kind === "serves") return "start";
  if (kind !== "runs") return undefined;
  const command = String(input?.["command"] ?? "").trim();
  if (INSTALLS.test(command)) return "install";
  return onlyLooks(command) ? undefined : `command ${command}`;
}

function pathOf({ input, arguments: written }: ToolCall): string {
  const path = input?.["path"] ?? written.known()["path"];
  return typeof path === "string" ? path.replace(/^\.\//, "") : "";
}
