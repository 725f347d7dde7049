import { spokenTool, toolEntry, toolKind, type ToolKind } from "@treadle/protocol/tools";
import { codedWords } from "../words/coded-words.ts";
import type { CallItem, ProjectView, Turn, Waiting } from "./types.ts";
import { evidenceOf } from "@treadle/protocol/fold";
import type { Phase } from "../ui/loop-mark.tsx";
import { currentCall, openTurn } from "./select.ts";
import { filled, words } from "../words/words.ts";

export interface Doing {
  phase?: Phase;
  /** The current activity: "Writing src/App.tsx". Without trailing dots. */
  words: string;
  /** When it began, in milliseconds since 1970. Shown as a duration if it takes long. */
  since: number;
  /** When a wait ends, if known. */
  until?: number;
}

/** The current activity; undefined if there is none. */
export function currentActivity(view: ProjectView): Doing | undefined {
  const turn = openTurn(view);
  if (!turn) {
    // Its run starts once the project's sandbox is open.
    const lastTurn = view.turns.at(-1);
    if (lastTurn && lastTurn.run === undefined && !lastTurn.queued && !lastTurn.end)
      return { phase: "run", words: words.fold.openingProject, since: lastTurn.at };
    // A look started by the person belongs to no run.
    return view.look
      ? { phase: "look", words: lookWords(evidenceOf(view).parts), since: view.look.since }
      : undefined;
  }
  if (turn.waiting) {
    const { since, until, reason } = turn.waiting;
    const phase = WAIT_PHASES[reason] ?? lastPhase(turn);
    return { phase, words: waitWords(turn.waiting), since, until };
  }
  if (view.question) return { words: words.fold.waitingForYou, since: turn.lastAt };
  const call = currentCall(turn);
  if (call) {
    const phase = callPhase(call);
    return {
      phase: phase === "write" && turn.repair ? "repair" : phase,
      words: callWords(call),
      since: call.since,
    };
  }
  const last = turn.items.at(-1);
  if (last?.kind === "look" && partsInProgress(last.evidence.parts))
    return { phase: "look", words: lookWords(last.evidence.parts), since: turn.lastAt };
  // The model has finished: its work is about to be looked at, or its turn is about to end.
  const makes = turn.mode === undefined || turn.mode === "act";
  if (turn.asking === false && makes && last?.kind !== "repair")
    return { phase: "look", words: words.fold.checking, since: turn.lastAt };
  if (last?.kind === "text")
    return { phase: lastPhase(turn), words: words.fold.answering, since: turn.lastAt };
  if (last?.kind === "repair")
    return {
      phase: "repair",
      words: words.fold.repairing({ attempt: last.attempt, limit: last.limit }),
      since: turn.lastAt,
    };
  if (last?.kind === "reasoning")
    return { phase: lastPhase(turn), words: words.fold.thinking, since: turn.lastAt };
  return { phase: lastPhase(turn), words: words.fold.waitingForModel, since: turn.lastAt };
}

const WAIT_PHASES: Partial<Record<Waiting["reason"], Phase>> = {
  registry: "run",
  tab: "run",
  server: "look",
};

/** Describes a wait, without the seconds, which are counted beside it, and without the model's id. */
function waitWords({ text, textCode }: Waiting): string {
  const { code, values = {} } = textCode ?? {};
  if (code === "asks-to-wait") return words.fold.asksToWait;
  if (code === "asking-again")
    return words.fold.askingAgain({ why: String(values["why"]).replace(/\.$/, "") });
  return codedWords(text, textCode);
}

/** Whether the project is being looked at, by a run or independently. */
export function isLooking(view: ProjectView): boolean {
  const turn = openTurn(view);
  if (!turn) return view.look !== undefined;
  const last = turn.items.at(-1);
  if (last?.kind !== "look" || turn.waiting || currentCall(turn)) return false;
  const { parts, checks = [] } = last.evidence;
  return partsInProgress(parts) || checks.some(({ state }) => state === "going");
}

function lastPhase(turn: Turn): Phase {
  return turn.repair ? "repair" : "write";
}

function partsInProgress(parts: Record<string, { state: string }>): boolean {
  return Object.values(parts).some((part) => part.state === "going");
}

function lookWords(parts: Record<string, { state: string }>): string {
  if (parts["build"]?.state === "going") return words.fold.building;
  if (parts["install"]?.state === "going") return words.fold.installing;
  if (parts["serve"]?.state === "going") return words.fold.waitingForServer;
  return words.fold.looking;
}

const PHASES: Partial<Record<ToolKind, Phase>> = { runs: "run", serves: "run", looks: "look" };

export function callPhase({ tool }: CallItem): Phase {
  const kind = toolKind(tool);
  return (kind && PHASES[kind]) ?? "write";
}

/** The tool's name if it is a built-in tool with its own wording, otherwise undefined. */
function ownTool(tool: string): keyof typeof words.fold.doing | undefined {
  return Object.hasOwn(words.fold.doing, tool)
    ? (tool as keyof typeof words.fold.doing)
    : undefined;
}

/** Describes a call in the present tense. */
export function callWords(call: CallItem): string {
  const about = subjectOfCall(call);
  if (toolKind(call.tool) === "runs" && about === undefined) return words.fold.preparing;
  const own = ownTool(call.tool);
  return own
    ? filled(words.fold.doing[own], { about: about ?? words.fold.file })
    : words.fold.using({ tool: spokenTool(call.tool) });
}

/** Describes a call that waits for the calls before it. */
export function waitingWords(call: CallItem): string {
  const { tool } = call;
  const about = subjectOfCall(call);
  if (toolKind(tool) === "runs" && about === undefined) return words.fold.preparing;
  if (Object.hasOwn(words.fold.coming, tool))
    return filled(words.fold.coming[tool as keyof typeof words.fold.coming], {
      about: about ?? words.fold.file,
    });
  return words.fold.next({ tool: ownTool(tool) ? callWords(call) : spokenTool(tool) });
}

/** The object of a call, such as a path or command; undefined until it is known. */
function subjectOfCall({ tool, path, input }: CallItem): string | undefined {
  const about = toolEntry(tool)?.about;
  if (about === undefined || about === "path") return path;
  const argument = input?.[about];
  if (typeof argument === "string") return firstLine(argument);
  return about === "url" ? words.fold.webPage : undefined;
}

/** The first line, with an ellipsis if there are more. */
function firstLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const line = (lines[0] ?? "").trim();
  const shown = line.length > 60 ? `${line.slice(0, 59)}…` : line;
  return lines.length > 1 ? words.fold.andLines({ line: shown, amount: lines.length - 1 }) : shown;
}
