/**
 * The current state of a project according to its log. The rules by which the state follows from events (current
 * revision, its evidence, open questions, activity) are only here: server, page and command line read the same state.
 * Values inside are replaced, never mutated; only a `Draft` mutates collections.
 */
import type { Evidence, Verdict } from "../evidence/types.ts";
import type { ParallelRequest } from "../log/parallel.ts";
import type { ApprovalPolicy, Question, SuspendedRun } from "../log/question.ts";
import type { TodoItem } from "../log/todo.ts";
import type { FileChange, ServerState, Usage } from "../log/types.ts";
import type { ProjectPath } from "../project-path/index.ts";
import type { CodedText } from "../sentences/index.ts";
import type { RefusedHost } from "./refused.ts";

/** What a project's log says about it now. */
export interface ProjectState {
  name?: string;
  model?: string;
  /** Of turns that only plan; empty: the same. */
  planModel?: string;
  /** Text of the newest message. */
  lastMessage?: string;
  /** Messages whose run began, by their id. Not all of them are part of the conversation: see `conversationOf`. */
  said: ReadonlyMap<string, SaidMessage>;
  /** The conversation's last message; empty where it has none. */
  head: string;
  /** Conversations that were returned from, by their last message, with the checkpoint of the files at that time. */
  left: ReadonlyMap<string, string>;
  /** Whether the run of the last message has asked for a call. */
  acted: boolean;
  /** The authors of file changes since the last checkpoint. */
  hands: ReadonlySet<FileChange["by"]>;
  /** Messages whose run has not begun, by their id, the oldest first. Their runs begin by themselves. */
  inLine: ReadonlySet<string>;
  /** The active run, also while it waits for the person. */
  run?: string;
  /** Calls of that run that have not ended. */
  openCalls: ReadonlySet<string>;
  /** The active check outside a run: its start in milliseconds since 1970, and whether it has any evidence yet. */
  look?: { since: number; seen: boolean };
  /** What the person is asked, and by which run; gone once it is answered or over. */
  question?: { run: string; question: Question };
  /** The run that waits for an answer, and its saved state. */
  suspended?: { run: string; question: Question; state: SuspendedRun };
  /** What the person chose to allow; absent: the server's default. */
  approvals?: ApprovalPolicy;
  /** Files and folders that the model leaves alone; absent: none. */
  locks?: readonly ProjectPath[];
  /** The active comparison, whose attempts are separate projects. */
  comparison?: string;
  /** Requests that run in parallel, by their id, the oldest first. */
  parallel: ReadonlyMap<string, ParallelRequest>;
  /** The list of work, as model or person last left it. */
  todo?: TodoItem[];
  checkpoints: readonly Checkpoint[];
  server?: ServerState;
  /** Of the files as they stand; absent while nobody knows it. */
  revision?: string;
  /** The evidence for the current revision or, if there is none, the newest for any other. */
  evidence?: Evidence;
  /** Time of the newest evidence in milliseconds since 1970. */
  evidenceAt?: number;
  /** What is known of revisions, by revision: one of them may be gone back to. The oldest are forgotten. */
  known: ReadonlyMap<string, KnownRevision>;
  /** Hosts that it may reach besides the registry. */
  allowed: readonly string[];
  /** Hosts that the app or a command asked for and that are not allowed, the newest last. */
  refused: readonly RefusedHost[];
  /** Files and what they became, as `acceptedKey` has them, that the person agreed to. */
  accepted: ReadonlySet<string>;
  /** The usage of ended runs, and of model calls outside runs. */
  usage: Usage;
  /** Of `usage`, what completions in the editor cost; absent where there were none. */
  completions?: { count: number; usage: Usage };
  /** The usage of the active run's steps. */
  runUsage: Usage;
  /** Of `usage`, what the project had used of which this one is a copy. */
  inheritedUsage: Usage;
}

/** One message of the person whose run began. */
export interface SaidMessage {
  /** The message that it followed on; empty where it was the first. */
  parent: string;
  run: string;
  /** The previous to-do list. */
  todo?: TodoItem[] | undefined;
  /** What its run, or the last before it that changed files, left. */
  last?: { checkpoint: string; revision: string } | undefined;
}

/** What is known of one revision. */
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
  /** What `label` says. */
  labelCode?: CodedText;
  /** Milliseconds since 1970. */
  at: number;
  run?: string;
  /** The conversation as it was then, by its last message; empty: there was none. */
  head: string;
  /** The authors of file changes since the checkpoint before. */
  by: FileChange["by"][];
  /** What the person calls it. */
  name?: string;
  /** It was thinned out to save room: nobody can go back to it. */
  thinned?: true;
}
