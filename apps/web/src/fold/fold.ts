import type { Answer, LogEntry } from "@treadle/protocol";
import { emptyState, foldEvent } from "@treadle/protocol/fold";
import { applyToCall } from "./apply-to-call.ts";
import { applyToRun, startRun, clearWaiting } from "./apply-to-run.ts";
import { ViewDraft } from "./draft.ts";
import { recordLook } from "./looks.ts";
import { newTurn } from "./new-turn.ts";
import type { ProjectView } from "./types.ts";

export function emptyView(): ProjectView {
  return {
    ...emptyState(),
    seq: 0,
    turns: [],
    changes: new Map(),
    byHand: new Set(),
    handEdits: new Map(),
    filesSeq: 0,
    restoredSeq: 0,
    upSeq: 0,
  };
}

/**
 * Applies log entries to a view. Skips entries that were already applied (by `seq`), so a replay after a lost
 * connection is harmless. The result does not depend on how the entries were batched. Never throws; an entry of an
 * unknown type is skipped.
 */
export function fold(view: ProjectView, entries: readonly LogEntry[]): ProjectView {
  const draft = new ViewDraft(view);
  const { state } = draft;
  for (const entry of entries) {
    if (entry.seq <= state.seq) continue;
    state.seq = entry.seq;
    // The conversation is updated first, because it may depend on state that the entry is about to end.
    show(draft, entry);
    foldEvent(draft, entry.event, entry.at);
  }
  return state.seq === view.seq ? view : state;
}

/** Applies one entry to the conversation. */
function show(draft: ViewDraft, { seq, at, event }: LogEntry): void {
  const { state } = draft;
  if ("run" in event && event.run !== undefined) clearWaiting(draft, event, at);
  switch (event.type) {
    case "message": {
      const turn = newTurn(event.message, event.text, at, event.queued);
      const { by, pictures, fix, prove, plan } = event;
      draft.addTurn({ ...turn, by, pictures, fix, prove, toCarryOut: plan });
      return;
    }
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
      const { text, by } = draft.takeQueued(event.message) ?? {};
      if (text !== undefined)
        draft.turnOfRun(event.run)?.items.push({ kind: "said", message: event.message, text, by });
      return;
    }
    case "run-start":
      return startRun(draft, event, at);
    case "waiting":
    case "repair":
    case "pictures-refused":
    case "tools-missing":
    case "protected-changed":
    case "plan":
    case "run-end":
    case "step-start":
    case "step-end":
    case "text":
    case "reasoning":
    case "group":
    case "call-open":
      return applyToRun(draft, event, at);
    case "answer": {
      const answer = wordsOf(event.answer);
      const { question } = state.question ?? {};
      const answered = {
        ...(answer !== undefined && { answer }),
        ...(event.by && { answeredBy: event.by }),
      };
      if (question?.id === event.question)
        draft.replaceCall(question.call, (call) => ({ ...call, ...answered }));
      return;
    }
    case "compacted": {
      const { before, after, text } = event;
      state.compacted = { at, before, after, text };
      return;
    }
    case "call-delta":
    case "call-input":
    case "call-start":
    case "output":
    case "call-end":
      return draft.replaceCall(event.call, (call) => applyToCall(call, event, at));
    case "todo":
      state.todoTurn = state.turns.findLast((turn) => !turn.queued)?.message;
      return;
    case "files": {
      const changes = draft.own("changes");
      for (const { path, by, kind, version } of event.changes) {
        changes.set(path, { seq, by, kind, version });
        if (by === "person" && !state.byHand.has(path)) draft.own("byHand").add(path);
      }
      state.filesSeq = seq;
      return;
    }
    case "server":
      if (event.server.state === "up" && state.server?.state !== "up") state.upSeq = seq;
      return;
    case "checkpoint": {
      if (state.byHand.size > 0) {
        draft.own("handEdits").set(event.checkpoint, state.byHand.size);
        draft.own("byHand").clear();
      }
      const turn = event.run === undefined ? undefined : draft.turnOfRun(event.run);
      // A checkpoint before the run's first call holds the files as the run found them, including the person's own
      // changes.
      if (turn && !turn.items.some((item) => item.kind === "call")) turn.before = event.checkpoint;
      return;
    }
    case "restored": {
      state.filesSeq = seq;
      state.restoredSeq = seq;
      if (state.byHand.size > 0) draft.own("byHand").clear();
      const head = event.head ?? state.head;
      const index = state.turns.findLastIndex((turn) => turn.message === head);
      const last = draft.turn(index === -1 ? state.turns.length - 1 : index);
      if (last)
        last.after = [...last.after, { checkpoint: event.checkpoint, label: event.label, at }];
      return;
    }
    case "evidence":
      if (event.run !== undefined) recordLook(draft, event.run, event.evidence);
      return;
    default:
      return;
  }
}

/** The text of the person's answer; undefined if they wrote none, as for an approval. */
function wordsOf(answer: Answer): string | undefined {
  if (answer.kind === "words") return answer.text;
  return answer.kind === "deny" ? answer.words : undefined;
}
