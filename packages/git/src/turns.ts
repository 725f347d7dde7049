import type { CodedText, Evidence, LogEntry, LogEvent, Usage, Verdict } from "@treadle/protocol";

/** A turn as described in a commit. */
export interface Turn {
  run: string;
  /** The person's request. */
  asked: string;
  model: string;
  summary: string;
  summaryCode?: CodedText | undefined;
  outcome: string;
  /** Tokens and cost; absent until it has ended. */
  usage?: Usage;
  verdict?: Verdict;
  evidence?: Evidence;
  /** The checkpoint at its end; absent if it changed nothing, or was thinned out. */
  checkpoint?: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The finished turns of a log in order. Add entries one after the other. */
export function gatherTurns(): { add(entry: LogEntry): void; turns(): Turn[] } {
  const asked = new Map<string, string>();
  const turns = new Map<string, Turn>();
  /** The active run: checkpoints meanwhile are its results. */
  let going: Turn | undefined;
  return {
    add({ event, at }) {
      const { type } = event;
      if (type === "message") asked.set(event.message, event.text);
      else if (type === "run-start") {
        going = begun(event, asked, at);
        turns.set(event.run, going);
      } else if (type === "checkpoint" && event.run === undefined) {
        if (going?.outcome === "") going.checkpoint = event.checkpoint;
      } else if ("run" in event && event.run !== undefined) {
        const turn = turns.get(event.run);
        if (turn) take(turn, event, at);
      }
    },
    turns: () => [...turns.values()].filter(({ outcome }) => outcome !== ""),
  };
}

function begun(
  { run, message, model }: Extract<LogEvent, { type: "run-start" }>,
  asked: ReadonlyMap<string, string>,
  at: number,
): Turn {
  return { run, asked: asked.get(message) ?? "", model, summary: "", outcome: "", at };
}

function take(turn: Turn, event: LogEvent, at: number): void {
  if (event.type === "checkpoint") turn.checkpoint = event.checkpoint;
  if (event.type === "evidence") turn.evidence = event.evidence;
  if (event.type !== "run-end") return;
  turn.summary = event.summary;
  turn.summaryCode = event.summaryCode;
  turn.usage = event.usage;
  turn.outcome = event.outcome;
  turn.at = at;
  if (event.verdict) turn.verdict = event.verdict;
}
