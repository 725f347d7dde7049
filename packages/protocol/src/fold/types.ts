/**
 * The current state of a project according to its log. The rules by which the state follows from events (current
 * revision, its evidence, open questions, activity) are only here: server, page and command line read the same state.
 * Values inside are replaced, never mutated; only a `Draft` mutates collections.
 */
import type { CommentAnchor } from "../log/comment.ts";
import type { Evidence, Verdict } from "../evidence/types.ts";
import type { ParallelRequest } from "../log/parallel.ts";
import type { ApprovalPolicy, Question, SuspendedRun } from "../log/question.ts";
import type { TodoItem } from "../log/todo.ts";
import type { Author, FileChange, RunOutcome, ServerState, Usage } from "../log/types.ts";
import type { ProjectPath } from "../project-path/index.ts";
import type { CodedText } from "../sentences/index.ts";
import type { RefusedHost } from "./refused.ts";

/** The state of a project according to its log. */
export interface ProjectState {
  name?: string;
  model?: string;
  /** The model of planning turns; empty: the same. */
  planModel?: string;
  /** Text of the newest message. */
  lastMessage?: string;
  /**
   * Messages whose run has begun, by id. Not all of them are part of the conversation: see
   * `conversationOf`.
   */
  said: ReadonlyMap<string, SaidMessage>;
  /** The conversation's last message; empty if it has none. */
  head: string;
  /** Conversations that were returned from, by their last message, with the checkpoint of the files at that time. */
  left: ReadonlyMap<string, string>;
  /** Whether the run of the last message has asked for a call. */
  acted: boolean;
  /** The authors of file changes since the last checkpoint. */
  hands: ReadonlySet<FileChange["by"]>;
  /** Messages whose run has not begun, by id, oldest first. Their runs begin automatically. */
  inLine: ReadonlySet<string>;
  /** The active run, also while it waits for the person. */
  run?: string;
  /** Calls of that run that have not ended. */
  openCalls: ReadonlySet<string>;
  /** The active check outside a run: its start in milliseconds since 1970, and whether it has any evidence yet. */
  look?: { since: number; seen: boolean };
  /** The open question to the person, and its run; removed once it is answered or obsolete. */
  question?: { run: string; question: Question };
  /** The last answered question: only its first answer counts. */
  answered?: { question: string; by?: Author | undefined };
  /** The run that waits for an answer, and its saved state. */
  suspended?: { run: string; question: Question; state: SuspendedRun };
  /** The person's approval policy; absent: the server's default. */
  approvals?: ApprovalPolicy;
  /** Files and folders that the model must not change; absent: none. */
  locks?: readonly ProjectPath[];
  /** The active comparison, whose attempts are separate projects. */
  comparison?: string;
  /** Parallel requests by id, oldest first. */
  parallel: ReadonlyMap<string, ParallelRequest>;
  /** The to-do list as last changed by model or person. */
  todo?: TodoItem[];
  checkpoints: readonly Checkpoint[];
  /** Threads of comments by id, oldest first, without those that have no comment left. */
  comments: ReadonlyMap<string, CommentThread>;
  server?: ServerState;
  /** The current revision; absent while unknown. */
  revision?: string;
  /** The evidence for the current revision or, if there is none, the newest for any other. */
  evidence?: Evidence;
  /** Time of the newest evidence in milliseconds since 1970. */
  evidenceAt?: number;
  /** Evidence of revisions, since one may be restored. The oldest are dropped. */
  known: ReadonlyMap<string, KnownRevision>;
  /** Hosts that may be reached besides the registry. */
  allowed: readonly string[];
  /** Refused hosts that the app or a command requested, newest last. */
  refused: readonly RefusedHost[];
  /** Keys, as of `acceptedKey`, of files and versions that the person approved. */
  accepted: ReadonlySet<string>;
  /** The usage of ended runs, and of model calls outside runs. */
  usage: Usage;
  /** The part of `usage` for completions in the editor; absent if there were none. */
  completions?: { count: number; usage: Usage };
  /** The usage of the active run's steps. */
  runUsage: Usage;
  /** The part of `usage` that comes from the project from which this one was copied. */
  inheritedUsage: Usage;
}

/** A message of the person whose run has begun. */
export interface SaidMessage {
  /** The message that it followed; empty for the first. */
  parent: string;
  run: string;
  /** The previous to-do list. */
  todo?: TodoItem[] | undefined;
  /** The checkpoint and revision after its run, or after the last earlier one that changed files. */
  last?: { checkpoint: string; revision: string } | undefined;
  /** How its run ended; absent while it has not. */
  outcome?: RunOutcome | undefined;
}

/** The stored facts about one revision. */
export interface KnownRevision {
  evidence?: Evidence;
  /** The evidence before the active check, which applies again if that is interrupted. */
  before?: Evidence;
  /** The verdict of the turn that left it. */
  end?: Verdict;
}

/** A stored revision. */
export interface Checkpoint {
  checkpoint: string;
  revision: string;
  label: string;
  /** The code of `label`. */
  labelCode?: CodedText;
  /** Milliseconds since 1970. */
  at: number;
  run?: string;
  /** The last message of the conversation at that time; empty: none. */
  head: string;
  /** The authors of file changes since the checkpoint before. */
  by: FileChange["by"][];
  /** The person's name for it. */
  name?: string;
  /** Whether it was thinned out to save space, and so cannot be restored. */
  thinned?: true;
}

/** Comments on one thing. */
export interface CommentThread {
  anchor: CommentAnchor;
  /** In order; never empty. */
  comments: readonly Comment[];
  /** Who resolved it and when, in milliseconds since 1970; absent while it is open. */
  resolved?: { by?: Author | undefined; at: number };
  /** The message with which it was last sent to the model, and when. */
  sent?: { message: string; at: number };
  /** Number of events, which is limited. */
  events: number;
}

/** One comment of a thread. */
export interface Comment {
  id: string;
  /** Who wrote it; undefined if there is only one person. */
  by?: Author | undefined;
  /** Milliseconds since 1970. */
  at: number;
  /** Empty if it was deleted. */
  text: string;
  editedAt?: number;
  /** Its author deleted it, and others replied to it. */
  deleted?: true;
}
