import type { LogEntry, LogEvent } from "@treadle/protocol";
import { EVIDENCE_PARTS, type Evidence } from "@treadle/protocol/evidence";
import { addUsage, createLogFold, NO_USAGE } from "@treadle/protocol/fold";
import { plain } from "../terminal/plain.ts";

type Usage = typeof NO_USAGE;

/** The progress of one run, for one or two lines of a terminal. */
export interface Progress {
  add(entry: LogEntry): void;
  /** Number of the model's steps that began. */
  readonly steps: number;
  /** A few words about the current action. */
  readonly doing: string;
  /** Usage of finished steps. */
  readonly usage: Usage;
  /** The evidence for the current files; undefined before the first check. */
  readonly evidence: Evidence | undefined;
  readonly end: Extract<LogEvent, { type: "run-end" }> | undefined;
}

/** Follows a project's log from the start of a run. */
export function createProgress(): Progress {
  const log = createLogFold();
  let steps = 0;
  let doing = "beginning";
  let usage = NO_USAGE;
  let end: Progress["end"];
  return {
    add({ event, at }) {
      log.add(event, at);
      if (event.type === "step-start") steps++;
      if (event.type === "step-end") usage = addUsage(usage, event.usage);
      if (event.type === "run-end") end = event;
      doing = doingOf(event) ?? doing;
    },
    get steps() {
      return steps;
    },
    get doing() {
      return doing;
    },
    get usage() {
      return usage;
    },
    get evidence() {
      const { evidence, revision } = log.state;
      return evidence?.revision === revision ? evidence : undefined;
    },
    get end() {
      return end;
    },
  };
}

/** The words for the current action that an event announces, or undefined if it changes nothing. */
function doingOf(event: LogEvent): string | undefined {
  switch (event.type) {
    case "step-start":
      return "asking the model";
    case "reasoning":
      return "thinking";
    case "text":
      return event.whole ? undefined : "writing";
    case "call-open":
      return event.tool.replaceAll("_", " ");
    case "call-start":
      return undefined;
    case "call-end":
      return plain(event.title);
    case "waiting":
      return plain(event.text);
    case "repair":
      return `repairing (${event.attempt} of ${event.limit})`;
    case "question":
      return "waiting for you";
    case "answer":
      return "going on";
    case "evidence": {
      const going = EVIDENCE_PARTS.find((part) => event.evidence.parts[part].state === "going");
      return going && `looking: ${going}`;
    }
    default:
      return undefined;
  }
}
