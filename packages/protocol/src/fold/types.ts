/**
 * What a project's log says about it now. The rules by which one event follows from another (which revision stands, what
 * is known of it, who is asked, whether anything goes on) are here and nowhere else: server, page and command line read
 * them from the same state. Values inside are replaced, never changed; collections are changed by a `Draft` alone.
 */
import type { Evidence, Verdict } from "../evidence/types.ts";
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
  /** Conversations that were gone back from, by their last message: the checkpoint of the files as they stood then. */
  left: ReadonlyMap<string, string>;
  /** Whether the run of the last message has asked for a call. */
  acted: boolean;
  /** Whose hands changed files since the last checkpoint. */
  hands: ReadonlySet<FileChange["by"]>;
  /** Messages whose run has not begun, by their id, the oldest first. Their runs begin by themselves. */
  inLine: ReadonlySet<string>;
  /** The active run, also while it waits for the person. */
  run?: string;
  /** Calls of that run that have not ended. */
  openCalls: ReadonlySet<string>;
  /** A look goes on that belongs to no run: since when (milliseconds since 1970), and whether it saw anything yet. */
  look?: { since: number; seen: boolean };
  /** What the person is asked, and by which run; gone once it is answered or over. */
  question?: { run: string; question: Question };
  /** The run that can do nothing without an answer, and what it goes on with. */
  suspended?: { run: string; question: Question; state: SuspendedRun };
  /** What the person chose to allow; absent: the server's default. */
  approvals?: ApprovalPolicy;
  /** Files and folders that the model leaves alone; absent: none. */
  locks?: readonly ProjectPath[];
  /** The comparison that goes on, whose attempts are projects of their own. */
  comparison?: string;
  /** The list of work, as model or person last left it. */
  todo?: TodoItem[];
  checkpoints: readonly Checkpoint[];
  server?: ServerState;
  /** Of the files as they stand; absent while nobody knows it. */
  revision?: string;
  /** What was seen of the revision that stands; where nothing was, the newest of any other. */
  evidence?: Evidence;
  /** When the newest evidence came, in milliseconds since 1970. */
  evidenceAt?: number;
  /** What is known of revisions, by revision: one of them may be gone back to. The oldest are forgotten. */
  known: ReadonlyMap<string, KnownRevision>;
  /** Hosts that it may reach besides the registry. */
  allowed: readonly string[];
  /** Hosts that the app or a command asked for and that are not allowed, the newest last. */
  refused: readonly RefusedHost[];
  /** Files and what they became, as `acceptedKey` has them, that the person agreed to. */
  accepted: ReadonlySet<string>;
  /** Of runs that ended, and of what was asked of a model outside of them. */
  usage: Usage;
  /** Of `usage`, what completions in the editor cost; absent where there were none. */
  completions?: { count: number; usage: Usage };
  /** Of the steps of the run that goes on. */
  runUsage: Usage;
}

/** One message of the person whose run began. */
export interface SaidMessage {
  /** The message that it followed on; empty where it was the first. */
  parent: string;
  run: string;
  /** The list of work as it stood when the next one came. */
  todo?: TodoItem[] | undefined;
  /** What its run, or the last before it that changed files, left. */
  last?: { checkpoint: string; revision: string } | undefined;
}

/** What is known of one revision. */
export interface KnownRevision {
  evidence?: Evidence;
  /** What was seen of it by the look before the one that goes on: it counts where that one is cut short. */
  before?: Evidence;
  /** What the turn that left it came to. */
  end?: Verdict;
}

/** A revision that was kept. */
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
  /** Whose hands changed the files since the checkpoint before. */
  by: FileChange["by"][];
  /** What the person calls it. */
  name?: string;
  /** It was thinned out to save room: nobody can go back to it. */
  thinned?: true;
}
