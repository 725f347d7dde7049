export { acceptedKey } from "./accepted-key.ts";
export { activityOf, isRunning, isWorking, type LoggedActivity } from "./activity.ts";
export { conversationOf } from "./conversation.ts";
export { Draft } from "./draft.ts";
export { emptyState, foldEvent } from "./fold-event.ts";
export { createLogFold, type LogFold } from "./log-fold.ts";
export { pictureOf } from "./picture.ts";
export type { RefusedHost } from "./refused.ts";
export type {
  Checkpoint,
  Comment,
  CommentThread,
  KnownRevision,
  ProjectState,
  SaidMessage,
} from "./types.ts";
export { addUsage, NO_USAGE } from "./usage.ts";
export {
  evidenceOf,
  statusOf,
  summaryStatus,
  verdictOf,
  verdictOn,
  type VerdictWithReason,
  type ProjectStatus,
} from "./verdict.ts";
