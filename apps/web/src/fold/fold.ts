import type { Answer, LogEntry } from "@treadle/protocol";
import { acceptedKey } from "./accepted-key.ts";
import { applyToCall } from "./apply-to-call.ts";
import { applyToRun, startRun, touchRun } from "./apply-to-run.ts";
import { Draft } from "./draft.ts";
import { noteLook } from "./looks.ts";
import { nameRevision } from "./name-revision.ts";
import { newTurn } from "./new-turn.ts";
import { addRefused, stillRefused } from "./refused.ts";
import type { ProjectView } from "./types.ts";
import { addUsage, NO_USAGE } from "./usage.ts";

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

/** What the person answered in their own words. */
function wordsOf(answer: Answer): string | undefined {
  if (answer.kind === "words") return answer.text;
  return answer.kind === "deny" ? answer.words : undefined;
}
