import type { LogEvent } from "@treadle/protocol";
import type { ViewDraft } from "./draft.ts";
import { gather } from "./gathered.ts";
import { growText } from "./grow.ts";
import { newTurn } from "./new-turn.ts";
import { isUnfinished } from "./select.ts";

/** Notes the time of a run's event, and clears the run's waiting state, which any event ends. */
export function clearWaiting(
  draft: ViewDraft,
  event: LogEvent & { run?: string },
  at: number,
): void {
  if (event.run === undefined) return;
  const turn = draft.turnOfRun(event.run);
  if (!turn) return;
  turn.lastAt = at;
  turn.waiting = undefined;
}

/** Starts the run of a message. */
export function startRun(
  draft: ViewDraft,
  event: Extract<LogEvent, { type: "run-start" }>,
  at: number,
): void {
  let index = draft.state.turns.findLastIndex((turn) => turn.message === event.message);
  // A run resumed after an interruption belongs to the same message and is shown as a turn of its own.
  if (index === -1 || draft.state.turns[index]?.run !== undefined) {
    draft.addTurn(newTurn(event.message, "", at, false));
    index = draft.state.turns.length - 1;
  }
  const turn = draft.turn(index);
  if (!turn) return;
  turn.run = event.run;
  turn.model = event.model;
  turn.mode = event.mode;
  turn.startedAt = at;
  turn.lastAt = at;
  turn.queued = false;
  const { checkpoints, revision } = draft.state;
  turn.before = checkpoints.findLast((one) => one.revision === revision)?.checkpoint;
  draft.state.open = index;
}

type RunBound = Extract<
  LogEvent,
  {
    type:
      | "waiting"
      | "repair"
      | "pictures-refused"
      | "tools-missing"
      | "protected-changed"
      | "plan"
      | "run-end"
      | "step-start"
      | "step-end"
      | "text"
      | "reasoning"
      | "group"
      | "call-open";
  }
>;

/** Applies one event of a run to its turn. */
export function applyToRun(draft: ViewDraft, event: RunBound, at: number): void {
  const turn = draft.turnOfRun(event.run);
  if (!turn) return;
  switch (event.type) {
    case "waiting":
      turn.waiting = {
        reason: event.reason,
        text: event.text,
        textCode: event.textCode,
        since: at,
        until: event.until,
      };
      return;
    case "repair": {
      const { attempt, limit, reason } = event;
      turn.repair = { attempt, limit, reason };
      turn.items.push({ kind: "repair", attempt, limit, reason });
      return;
    }
    case "pictures-refused":
      turn.items.push({ kind: "pictures-refused", model: event.model });
      return;
    case "tools-missing":
      turn.items.push({ kind: "tools-missing", servers: event.servers });
      return;
    case "protected-changed":
      turn.items.push({ kind: "protected-files", state: event.state, files: event.files });
      return;
    case "plan":
      turn.plan = event.text;
      return;
    case "run-end":
      turn.end = { ...event, at };
      // A truncated log may lack a call's end; no call outlives its run.
      turn.items = turn.items.map((item) =>
        item.kind === "call" && isUnfinished(item) ? { ...item, status: "interrupted" } : item,
      );
      if (draft.state.open !== undefined && draft.state.turns[draft.state.open]?.run === event.run)
        draft.state.open = undefined;
      return;
    case "step-start":
      turn.asking = true;
      return;
    case "step-end":
      turn.asking = false;
      if (event.context)
        draft.state.request = { context: event.context, usage: event.usage, model: turn.model };
      return;
    case "text":
    case "reasoning": {
      const index = turn.items.findLastIndex(
        (item) => item.kind === event.type && item.id === event.id,
      );
      const item = turn.items[index];
      if (item?.kind === event.type)
        turn.items[index] = { ...item, text: growText(item.text, event.text, event.whole) };
      else turn.items.push({ kind: event.type, id: event.id, text: gather(event.text) });
      return;
    }
    case "group":
      turn.items.push({ kind: "group", id: event.id, title: event.title });
      return;
    case "call-open":
      turn.items.push({
        kind: "call",
        call: event.call,
        tool: event.tool,
        fields: new Map(),
        status: "writing",
        since: at,
      });
      return;
  }
}
