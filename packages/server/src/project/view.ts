import type {
  ApprovalPolicy,
  Evidence,
  LogEvent,
  Question,
  ServerState,
  SuspendedRun,
  TodoItem,
  Usage,
  Verdict,
} from "@treadle/protocol";

/** What a project's log says about it now. */
export interface ProjectView {
  usage: Usage;
  server?: ServerState;
  revision?: string;
  evidence?: Evidence;
  /** What the turns that changed something came to, by the revision that each left: it may be gone back to. */
  ends: Map<string, Verdict>;
  /** Calls of the run that goes on, and which of them have not ended. */
  openCalls: Set<string>;
  openRun?: string;
  /** Ids of the checkpoints that the log tells of. */
  checkpoints: Set<string>;
  /** What the person is asked, and by which run; gone once it is answered or over. */
  question?: { run: string; question: Question };
  /** The run that can do nothing without an answer, and what it goes on with. */
  suspended?: { run: string; question: Question; state: SuspendedRun };
  /** What the person chose to allow; absent: the server's default. */
  approvals?: ApprovalPolicy;
  /** The list of work, as model or person last left it. */
  todo?: TodoItem[];
  /** Text of the newest message. */
  lastMessage?: string;
}

export const emptyView = (): ProjectView => ({
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  ends: new Map(),
  openCalls: new Set(),
  checkpoints: new Set(),
});

/** Takes one more event of the log into the view. */
export function see(view: ProjectView, event: LogEvent): void {
  switch (event.type) {
    case "message":
      view.lastMessage = event.text;
      return;
    case "run-start":
      view.openRun = event.run;
      view.openCalls.clear();
      return;
    case "call-open":
      view.openCalls.add(event.call);
      return;
    case "call-end":
      view.openCalls.delete(event.call);
      if (view.question?.question.call === event.call) view.question = undefined;
      return;
    case "question":
      view.question = { run: event.run, question: event.question };
      view.suspended = undefined;
      return;
    case "suspended":
      if (view.question?.question.id === event.question)
        view.suspended = { ...view.question, state: event.state };
      return;
    case "answer":
      view.question = undefined;
      return;
    case "compacted":
      if (event.usage) addUsage(view.usage, event.usage);
      return;
    case "approvals-changed":
      view.approvals = event.policy;
      return;
    case "todo":
      view.todo = event.items;
      return;
    case "run-end":
      view.openRun = undefined;
      view.openCalls.clear();
      view.question = undefined;
      view.suspended = undefined;
      view.revision = event.revision || view.revision;
      if (event.verdict) view.ends.set(event.revision, event.verdict);
      addUsage(view.usage, event.usage);
      return;
    case "files":
      // Evidence never speaks of another revision; which one stands now may not be known yet. The watcher may tell of
      // the model's last file after the run's own end has named its revision.
      if (
        event.revision !== undefined ||
        view.openRun !== undefined ||
        event.changes.some(({ by }) => by !== "model")
      )
        view.revision = event.revision;
      return;
    case "checkpoint":
      view.checkpoints.add(event.checkpoint);
      view.revision = event.revision;
      return;
    case "restored":
      view.revision = event.revision;
      return;
    case "server":
      view.server = event.server;
      return;
    case "evidence":
      view.evidence = event.evidence;
      view.revision = event.evidence.revision;
      return;
    default:
      return;
  }
}

function addUsage(total: Usage, more: Usage): void {
  total.inputTokens += more.inputTokens;
  total.cachedInputTokens += more.cachedInputTokens;
  total.outputTokens += more.outputTokens;
  if (more.costUsd !== undefined) total.costUsd = (total.costUsd ?? 0) + more.costUsd;
}
