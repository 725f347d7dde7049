import type { LogEvent } from "../log/types.ts";
import { acceptedKey } from "./accepted-key.ts";
import { foldComment } from "./comments.ts";
import { moveHead, noteKept, noteSaid, noteTodo, noteOutcome } from "./conversation.ts";
import type { Draft } from "./draft.ts";
import { addRefused, stillRefused } from "./refused.ts";
import { nameRevision, noteEnd, noteEvidence, settleEvidence } from "./revisions.ts";
import type { Checkpoint, ProjectState } from "./types.ts";
import { addUsage, NO_USAGE } from "./usage.ts";

/** The initial state of a project. */
export function emptyState(): ProjectState {
  return {
    inLine: new Set(),
    openCalls: new Set(),
    said: new Map(),
    head: "",
    left: new Map(),
    acted: false,
    hands: new Set(),
    checkpoints: [],
    comments: new Map(),
    known: new Map(),
    allowed: [],
    refused: [],
    accepted: new Set(),
    parallel: new Map(),
    usage: NO_USAGE,
    runUsage: NO_USAGE,
    inheritedUsage: NO_USAGE,
  };
}

/**
 * Applies one event of the log to the state, in time proportional to the event. Never throws; unknown event types
 * change nothing.
 * @param at time of the event in milliseconds since 1970
 */
export function foldEvent(draft: Draft<ProjectState>, event: LogEvent, at: number): void {
  const { state } = draft;
  switch (event.type) {
    case "project-renamed":
      state.name = event.name;
      return;
    case "model-chosen":
      if (event.mode === "plan") state.planModel = event.model;
      else state.model = event.model;
      return;
    case "message":
      state.lastMessage = event.text;
      draft.own("inLine").add(event.message);
      return;
    case "message-taken":
    case "message-removed":
      draft.own("inLine").delete(event.message);
      return;
    case "run-start":
      // The usage of a run without an end still counts.
      state.usage = addUsage(state.usage, state.runUsage);
      state.runUsage = NO_USAGE;
      state.run = event.run;
      leaveLine(draft, event.message);
      overLook(draft);
      draft.own("openCalls").clear();
      noteSaid(draft, event.message, event.run);
      return;
    case "step-end":
      if (event.run === state.run) state.runUsage = addUsage(state.runUsage, event.usage);
      return;
    case "call-open":
      state.acted = true;
      draft.own("openCalls").add(event.call);
      return;
    case "call-end":
      draft.own("openCalls").delete(event.call);
      if (state.question?.question.call === event.call) state.question = undefined;
      return;
    case "question":
      state.question = { run: event.run, question: event.question };
      state.suspended = undefined;
      return;
    case "suspended":
      if (state.question?.question.id === event.question)
        state.suspended = { ...state.question, state: event.state };
      return;
    case "answer":
      state.question = undefined;
      state.answered = { question: event.question, by: event.by };
      return;
    case "run-end":
      if (state.run === event.run) state.runUsage = NO_USAGE;
      state.usage = addUsage(state.usage, event.usage);
      state.run = undefined;
      state.question = undefined;
      state.suspended = undefined;
      draft.own("openCalls").clear();
      settleEvidence(draft, false);
      noteOutcome(draft, event);
      nameRevision(draft, event.revision);
      if (event.verdict) noteEnd(draft, event.revision, event.verdict);
      return;
    case "compacted":
      if (event.usage) state.usage = addUsage(state.usage, event.usage);
      return;
    case "completion":
      state.usage = addUsage(state.usage, event.usage);
      state.completions = {
        count: (state.completions?.count ?? 0) + 1,
        usage: addUsage(state.completions?.usage ?? NO_USAGE, event.usage),
      };
      return;
    case "approvals-changed":
      state.approvals = event.policy;
      return;
    case "comparison":
      state.comparison = event.state === "going" ? event.comparison : undefined;
      return;
    case "parallel":
      if (event.isOver) draft.own("parallel").delete(event.request.id);
      else draft.own("parallel").set(event.request.id, event.request);
      return;
    case "locks-changed":
      state.locks = event.locks;
      return;
    case "comment":
    case "comment-edited":
    case "comment-deleted":
    case "thread-resolved":
    case "comments-sent":
      return foldComment(draft, event, at);
    case "todo":
      state.todo = event.items;
      noteTodo(draft);
      return;
    case "protected-accepted":
      draft.own("accepted").add(acceptedKey(event.path, event.version));
      return;
    case "files":
      for (const { by } of event.changes) if (!state.hands.has(by)) draft.own("hands").add(by);
      if (event.revision !== undefined) nameRevision(draft, event.revision);
      // The current revision may not be known yet: the watcher may report the model's last file after the end of the
      // run has named its revision.
      else if (state.run !== undefined || event.changes.some(({ by }) => by !== "model"))
        state.revision = undefined;
      return;
    case "server":
      state.server = event.server;
      return;
    case "egress-refused":
      state.refused = addRefused(state.refused, event);
      return;
    case "hosts-changed":
      state.allowed = event.hosts;
      state.refused = stillRefused(state.refused, event.hosts);
      return;
    case "checkpoint": {
      const { checkpoint, revision, label, labelCode, run } = event;
      const [head, by] = [noteKept(draft, event), [...state.hands]];
      draft.own("checkpoints").push({
        checkpoint,
        revision,
        label,
        labelCode,
        at,
        run,
        head,
        by,
      });
      draft.own("hands").clear();
      nameRevision(draft, revision);
      return;
    }
    case "checkpoint-named":
      return changeCheckpoints(draft, [event.checkpoint], ({ name: _name, ...one }) =>
        event.name === undefined ? one : { ...one, name: event.name },
      );
    case "checkpoints-thinned":
      return changeCheckpoints(draft, event.checkpoints, (one) => ({ ...one, thinned: true }));
    case "project-forked":
      state.inheritedUsage = addUsage(state.usage, state.runUsage);
      draft.own("parallel").clear();
      // Messages that were queued are queued only in the other project.
      draft.own("inLine").clear();
      nameRevision(draft, event.revision);
      return;
    case "restored":
      draft.own("hands").clear();
      if (event.head !== undefined) moveHead(draft, event.head, event.left);
      nameRevision(draft, event.revision);
      return;
    case "look-start":
      state.look = { since: at, seen: false };
      return;
    case "look-end":
      overLook(draft);
      return;
    case "evidence":
      if (state.look) state.look = { ...state.look, seen: true };
      noteEvidence(draft, event.evidence, at);
      return;
    default:
      return;
  }
}

function changeCheckpoints(
  draft: Draft<ProjectState>,
  names: readonly string[],
  how: (one: Checkpoint) => Checkpoint,
): void {
  const named = new Set(names);
  for (const [index, one] of draft.state.checkpoints.entries())
    if (named.has(one.checkpoint)) draft.own("checkpoints")[index] = how(one);
}

/** Ends the check outside a run, whichever event reported its end. */
function overLook(draft: Draft<ProjectState>): void {
  const { look } = draft.state;
  draft.state.look = undefined;
  if (look?.seen) settleEvidence(draft, true);
}

/** Removes a message from the queue when its run begins, with all earlier ones (first in, first out). */
function leaveLine(draft: Draft<ProjectState>, message: string): void {
  if (!draft.state.inLine.has(message)) return;
  const line = draft.own("inLine");
  for (const one of line) {
    line.delete(one);
    if (one === message) return;
  }
}
