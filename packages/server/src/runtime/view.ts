import type { Evidence, LogEvent, ServerState, Usage } from "@treadle/protocol";

/** What a project's log says about it now. */
export interface ProjectView {
  usage: Usage;
  server?: ServerState;
  revision?: string;
  evidence?: Evidence;
  /** Calls of the run that goes on, and which of them have not ended. */
  openCalls: Set<string>;
  openRun?: string;
  /** Ids of the checkpoints that the log tells of. */
  checkpoints: Set<string>;
  /** Text of the newest message. */
  lastMessage?: string;
}

export const emptyView = (): ProjectView => ({
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
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
      return;
    case "run-end":
      view.openRun = undefined;
      view.openCalls.clear();
      view.revision = event.revision || view.revision;
      addUsage(view.usage, event.usage);
      return;
    case "files":
      // Evidence never speaks of another revision; which one stands now may not be known yet.
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
