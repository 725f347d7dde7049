import type { Answer, Evidence, LogEntry, LogEvent } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { acceptedKey } from "./accepted-key.ts";
import { Draft } from "./draft.ts";
import { append, gather, keepTail, type Gathered } from "./gathered.ts";
import { addRefused, stillRefused } from "./refused.ts";
import { goesOn } from "./select.ts";
import type { CallItem, ProjectView, Turn } from "./types.ts";

/** Characters of one call's output that are kept for reading; the whole is in the log. */
export const OUTPUT_KEPT = 200_000;

export function emptyView(): ProjectView {
  return {
    seq: 0,
    turns: [],
    checkpoints: [],
    stale: false,
    changes: new Map(),
    filesSeq: 0,
    upSeq: 0,
    refused: [],
    allowed: [],
    accepted: new Set(),
    places: new Map(),
  };
}

/**
 * Adds entries to a view. Entries that were folded already (by `seq`) are passed over, so a replay after a lost
 * connection changes nothing twice. The result does not depend on how the entries were cut into batches.
 * Never throws; an entry of an unknown type counts as read.
 */
export function fold(view: ProjectView, entries: readonly LogEntry[]): ProjectView {
  const draft = new Draft(view);
  for (const entry of entries) {
    if (entry.seq <= draft.view.seq) continue;
    draft.view.seq = entry.seq;
    apply(draft, entry);
  }
  return draft.view.seq === view.seq ? view : draft.view;
}

function apply(draft: Draft, { seq, at, event }: LogEntry): void {
  const { view } = draft;
  if ("run" in event && event.run !== undefined) touchRun(draft, event, at);
  switch (event.type) {
    case "project-renamed":
      view.name = event.name;
      return;
    case "model-chosen":
      if (event.mode === "plan") view.planModel = event.model;
      else view.model = event.model;
      return;
    case "message":
      draft.addTurn({
        ...newTurn(event.message, event.text, at, event.queued),
        ...(event.pictures && { pictures: event.pictures }),
        ...(event.fix && { fix: event.fix }),
        ...(event.plan && { toCarryOut: event.plan }),
      });
      return;
    case "mentioned": {
      const turn = draft.turnOfRun(event.run);
      if (turn) turn.mentioned = [...(turn.mentioned ?? []), ...event.items];
      return;
    }
    case "message-removed":
      draft.takeQueued(event.message);
      return;
    case "message-hurried":
      return draft.hurry(event.message);
    case "message-taken": {
      const { text } = draft.takeQueued(event.message) ?? {};
      if (text !== undefined)
        draft.turnOfRun(event.run)?.items.push({ kind: "said", message: event.message, text });
      return;
    }
    case "run-start":
      return startRun(draft, event, at);
    case "waiting":
    case "repair":
    case "pictures-refused":
    case "tools-missing":
    case "obeyed-changed":
    case "plan":
    case "run-end":
    case "step-start":
    case "step-end":
    case "text":
    case "reasoning":
    case "group":
    case "call-open":
      return applyToRun(draft, event, at);
    case "question":
      view.asked = event.question;
      return;
    case "suspended":
      return;
    case "answer": {
      const said = wordsOf(event.answer);
      if (said !== undefined && view.asked?.id === event.question)
        draft.replaceCall(view.asked.call, (call) => ({ ...call, said }));
      view.asked = undefined;
      return;
    }
    case "approvals-changed":
      return;
    case "compacted":
      view.compacted = {
        at,
        before: event.before,
        after: event.after,
        ...(event.text === undefined ? {} : { text: event.text }),
      };
      if (event.usage) view.extraUsage = addUsage(view.extraUsage ?? NO_USAGE, event.usage);
      return;
    case "todo":
      view.todo = event.items;
      return;
    case "obeyed-accepted":
      view.accepted = new Set(view.accepted).add(acceptedKey(event.path, event.version));
      return;
    case "call-delta":
    case "call-input":
    case "call-start":
    case "output":
    case "call-end":
      if (event.type === "call-end" && view.asked?.call === event.call) view.asked = undefined;
      return draft.replaceCall(event.call, (call) => applyToCall(call, event, at));
    case "files": {
      const changes = draft.changes();
      for (const { path, by, kind } of event.changes) changes.set(path, { seq, by, kind });
      view.filesSeq = seq;
      if (event.revision !== undefined) nameRevision(view, event.revision);
      else if (view.open !== undefined || event.changes.some(({ by }) => by !== "model"))
        // The watcher may tell of the model's last file after the run's own end has named its revision.
        view.stale = true;
      return;
    }
    case "server":
      if (event.server.state === "up" && view.server?.state !== "up") view.upSeq = seq;
      view.server = event.server;
      return;
    case "egress-refused":
      view.refused = addRefused(view.refused, event);
      return;
    case "hosts-changed":
      view.allowed = event.hosts;
      view.refused = stillRefused(view.refused, event.hosts);
      return;
    case "checkpoint": {
      const { checkpoint, revision, label, run } = event;
      view.checkpoints = [...view.checkpoints, { checkpoint, revision, label, at, run }];
      const turn = run === undefined ? undefined : draft.turnOfRun(run);
      // What a run keeps before its first call is what it found, a person's own changes among it.
      if (turn && !turn.items.some((item) => item.kind === "call")) turn.before = checkpoint;
      nameRevision(view, revision);
      return;
    }
    case "restored": {
      view.filesSeq = seq;
      nameRevision(view, event.revision);
      const last = draft.turn(view.turns.length - 1);
      if (last)
        last.after = [...last.after, { checkpoint: event.checkpoint, label: event.label, at }];
      return;
    }
    case "evidence":
      view.evidence = event.evidence;
      view.evidenceAt = at;
      nameRevision(view, event.evidence.revision);
      if (event.run !== undefined) noteLook(draft, event.run, event.evidence);
      return;
  }
}

function newTurn(message: string, text: string, at: number, queued: boolean): Turn {
  return {
    message,
    text,
    at,
    queued,
    items: [],
    lastAt: at,
    usage: NO_USAGE,
    after: [],
  };
}

const NO_USAGE = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** Any event of a run ends its waiting. */
function touchRun(draft: Draft, event: LogEvent & { run?: string }, at: number): void {
  if (event.run === undefined) return;
  const turn = draft.turnOfRun(event.run);
  if (!turn) return;
  turn.lastAt = at;
  turn.waiting = undefined;
}

function startRun(draft: Draft, event: Extract<LogEvent, { type: "run-start" }>, at: number): void {
  let index = draft.view.turns.findLastIndex((turn) => turn.message === event.message);
  // A run that goes on after an interruption belongs to the same message, and shows as a turn of its own.
  if (index === -1 || draft.view.turns[index]?.run !== undefined) {
    draft.addTurn(newTurn(event.message, "", at, false));
    index = draft.view.turns.length - 1;
  }
  const turn = draft.turn(index);
  if (!turn) return;
  turn.run = event.run;
  turn.model = event.model;
  turn.mode = event.mode;
  turn.startedAt = at;
  turn.lastAt = at;
  turn.queued = false;
  const { checkpoints, revision } = draft.view;
  turn.before = checkpoints.findLast((one) => one.revision === revision)?.checkpoint;
  draft.view.open = index;
}

type RunBound = Extract<
  LogEvent,
  {
    type:
      | "waiting"
      | "repair"
      | "pictures-refused"
      | "tools-missing"
      | "obeyed-changed"
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

function applyToRun(draft: Draft, event: RunBound, at: number): void {
  const turn = draft.turnOfRun(event.run);
  if (!turn) return;
  switch (event.type) {
    case "waiting":
      turn.waiting = {
        reason: event.reason,
        text: event.text,
        since: at,
        ...(event.until === undefined ? {} : { until: event.until }),
      };
      return;
    case "repair": {
      const { attempt, limit, reason } = event;
      turn.repair = { attempt, limit, reason };
      turn.items.push({ kind: "repair", attempt, limit, reason });
      return;
    }
    case "pictures-refused":
      turn.items.push({ kind: "blind", model: event.model });
      return;
    case "tools-missing":
      turn.items.push({ kind: "toolless", servers: event.servers });
      return;
    case "obeyed-changed":
      turn.items.push({ kind: "obeyed", state: event.state, files: event.files });
      return;
    case "plan":
      turn.plan = event.text;
      return;
    case "run-end":
      draft.view.asked = undefined;
      turn.end = { ...event, at };
      // A log that was cut off may lack the end of a call; nothing goes on after its run.
      turn.items = turn.items.map((item) =>
        item.kind === "call" && goesOn(item) ? { ...item, status: "interrupted" } : item,
      );
      if (draft.view.open !== undefined && draft.view.turns[draft.view.open]?.run === event.run)
        draft.view.open = undefined;
      settleEvidence(draft.view);
      nameRevision(draft.view, event.revision);
      return;
    case "step-start":
      return;
    case "step-end":
      turn.usage = addUsage(turn.usage, event.usage);
      if (event.context)
        draft.view.request = { context: event.context, usage: event.usage, model: turn.model };
      return;
    case "text":
    case "reasoning": {
      const index = turn.items.findLastIndex(
        (item) => item.kind === event.type && item.id === event.id,
      );
      const item = turn.items[index];
      if (item?.kind === event.type)
        turn.items[index] = { ...item, text: grow(item.text, event.text, event.whole) };
      else turn.items.push({ kind: event.type, id: event.id, text: gather(event.text) });
      return;
    }
    case "group":
      turn.items.push({ kind: "group", id: event.id, title: event.title });
      return;
    case "call-open": {
      if (draft.view.places.has(event.call)) return;
      turn.items.push({
        kind: "call",
        call: event.call,
        tool: event.tool,
        fields: new Map(),
        status: "writing",
        since: at,
      });
      draft.place(event.call, {
        turn: draft.view.turns.indexOf(turn),
        item: turn.items.length - 1,
      });
    }
  }
}

type CallBound = Extract<
  LogEvent,
  { type: "call-delta" | "call-input" | "call-start" | "output" | "call-end" }
>;

function applyToCall(call: CallItem, event: CallBound, at: number): CallItem {
  switch (event.type) {
    case "call-delta": {
      const before = call.fields.get(event.field);
      const after = before ? grow(before, event.text, event.whole) : gather(event.text);
      // One field streams at a time and calls have a handful: copying the map costs nothing that grows.
      const fields = new Map(call.fields).set(event.field, after);
      const path = event.path ?? call.path;
      return { ...call, fields, ...(path === undefined ? {} : { path }) };
    }
    case "call-input": {
      const path = event.input["path"];
      return {
        ...call,
        input: event.input,
        ...(typeof path === "string" ? { path } : {}),
        ...(call.status === "writing" ? { status: "waiting" as const } : {}),
      };
    }
    case "call-start":
      return { ...call, status: "running", since: at };
    case "output": {
      const text = call.output ? grow(call.output, event.text, event.whole) : gather(event.text);
      return { ...call, output: keepTail(text, OUTPUT_KEPT) };
    }
    case "call-end": {
      const { status, title, result, ms, picture } = event;
      return { ...call, status, title, result, ms, ...(picture ? { picture } : {}) };
    }
  }
}

function grow(before: Gathered, text: string, whole: true | undefined): Gathered {
  return whole ? gather(text) : append(before, text);
}

function addUsage(a: Turn["usage"], b: Turn["usage"]): Turn["usage"] {
  const cost =
    a.costUsd === undefined && b.costUsd === undefined
      ? {}
      : { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) };
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...cost,
  };
}

function nameRevision(view: ProjectView, revision: string): void {
  // A run that ended before its files were looked at has none to name.
  if (revision === "") return;
  view.revision = revision;
  view.stale = false;
}

/** A look that its run's end cut short goes on no more. */
function settleEvidence(view: ProjectView): void {
  const { evidence } = view;
  if (!evidence || !EVIDENCE_PARTS.some((part) => evidence.parts[part].state === "going")) return;
  const parts = { ...evidence.parts };
  for (const part of EVIDENCE_PARTS)
    if (parts[part].state === "going")
      parts[part] = { state: "untried", summary: "the look was cut short" };
  view.evidence = { ...evidence, parts };
}

/** A look is one line of the turn for each revision that was looked at, at the place of the first look. */
function noteLook(draft: Draft, run: string, evidence: Evidence): void {
  const { build, serve, page, console } = evidence.parts;
  const looked = [build, serve, page, console].some(
    ({ state }) => state === "going" || state === "held" || state === "failed",
  );
  const turn = draft.turnOfRun(run);
  if (!turn || !looked) return;
  const index = turn.items.findLastIndex((item) => item.kind === "repair" || item.kind === "look");
  const item = turn.items[index];
  if (item?.kind === "look" && item.evidence.revision === evidence.revision)
    turn.items[index] = { kind: "look", evidence };
  else turn.items.push({ kind: "look", evidence });
}

/** What the person answered in their own words. */
function wordsOf(answer: Answer): string | undefined {
  if (answer.kind === "words") return answer.text;
  return answer.kind === "deny" ? answer.words : undefined;
}
