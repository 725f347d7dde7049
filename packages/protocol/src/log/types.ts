/**
 * The log: everything that happens to a project, numbered from 1, and stored before anyone sees it. The page, the
 * command line and the API only read these entries; they need no other source to know what happened.
 *
 * Order within a run: `run-start` · (`step-start` · (text | reasoning | call…)* · `step-end`)* · exactly one `run-end`.
 * Order within a call: `call-open` · `call-delta`* · `call-input` · `call-start` · `output`* · `call-end`.
 * A run that waits for the person has no entries between `question` and `answer` (question.ts).
 * A call that is never executed because its stream was cut may skip to `call-end` with `interrupted` at any point.
 * A response that was cut by the output limit (`step-end` with `length`) may continue in the next step: in its last
 * `text`, or in a call that stays open across the end of the step.
 *
 * Long streams (`text`, `reasoning`, `call-delta`, `output`) are appended piece by piece and compacted once they are
 * complete: one entry with `whole: true` replaces the pieces, in the place of the last. A piece is also `whole` if the
 * model starts a call's argument again; further pieces may follow it. On `whole: true`, a reader replaces the text that
 * it has collected for that id; it appends every other piece.
 *
 * In runs that have ended, long parts of a call (an argument, its output, its result) are shortened to their start and
 * end. `cut` is the length of the complete text in characters, which is stored and can be requested by the call's id.
 */
import type { ProjectPath } from "../project-path/index.ts";
import type { CodedText } from "../sentences/types.ts";
import type { Evidence, PagePicture, Verdict } from "../evidence/types.ts";
import type { ParallelRequest } from "./parallel.ts";
import type { MentionedEvent, PictureInfo } from "./mentioned.ts";
import type { CommentEvent } from "./comment.ts";
import type { ContextEvent, ContextUse } from "./context.ts";
import type { ProtectedFilesEvent } from "./protected-files.ts";
import type { ApprovalPolicy, QuestionEvent } from "./question.ts";
import type { LastWords, TodoEvent } from "./todo.ts";

/** One event as the log keeps it. */
export interface LogEntry<E extends LogEvent = LogEvent> {
  /** Numbered from 1 without gaps when written; compaction may leave gaps. */
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  event: E;
}

/** Everything that can happen to a project. */
export type LogEvent =
  | ProjectEvent
  | MessageEvent
  | QueuedMessageEvent
  | MentionedEvent
  | RunEvent
  | StepEvent
  | CallEvent
  | QuestionEvent
  | CommentEvent
  | ContextEvent
  | ProtectedFilesEvent
  | TodoEvent
  | WorkspaceEvent
  | EvidenceEvent;

/** Something about the project itself changed. */
export type ProjectEvent =
  | { type: "project-renamed"; name: string }
  /** `mode: "plan"`: the model for turns that only plan; if it is empty, they use the same model as all others. */
  | { type: "model-chosen"; model: string; mode?: "plan" }
  /** The complete list of hosts that the project may reach besides the registry, including those of its secrets. */
  | { type: "hosts-changed"; hosts: string[] }
  /** The new policy: what the project allows without asking. */
  | { type: "approvals-changed"; policy: ApprovalPolicy }
  /** The earlier entries, and the files, were copied from another project as of that checkpoint. */
  | {
      type: "project-forked";
      from: string;
      name: string;
      checkpoint: string;
      label: string;
      revision: string;
    }
  /** A comparison of several attempts at the same task, each in its own project, until one or none is chosen. */
  | { type: "comparison"; comparison: string; state: "going" | "over" }
  /** The progress of a request that runs in parallel. `isOver`: it was merged or discarded. */
  | { type: "parallel"; request: ParallelRequest; isOver?: true }
  /** The complete new list of files and folders that the model must not change. */
  | { type: "locks-changed"; locks: ProjectPath[] };

/** What happened to a message that was sent while a run was active. */
export type QueuedMessageEvent =
  /** The active run received it before its next step, so it gets no run of its own. */
  | { type: "message-taken"; run: string; message: string }
  /** The active run will receive it before its next step. If that run ends first, the message waits for the next one. */
  | { type: "message-hurried"; message: string }
  /** The person took it back before its run began. */
  | { type: "message-removed"; message: string };

/** The person behind an event, with the name that they had then. */
export interface Author {
  id: string;
  name: string;
}

/** A message by a person. */
export interface MessageEvent {
  type: "message";
  message: string;
  role: "user";
  text: string;
  /** The author; absent on a server without accounts. */
  by?: Author;
  /** The pictures that were sent with it. */
  pictures?: PictureInfo[];
  /** Requests the repair of a failure, whose description the model receives. */
  fix?: true;
  /** Items of the last turn, in its words, that the message asks to show by checks: they may already work. */
  prove?: string[];
  /** A plan to carry out, sent with the message. It is not the person's own text. */
  plan?: string;
  /** True while another run is active; the message's own `run-start` follows later. */
  queued: boolean;
}

/** A run begins, waits, repairs or ends. */
export type RunEvent =
  | {
      type: "run-start";
      run: string;
      message: string;
      model: string;
      dialect: DialectName;
      /** Absent: `act`. */
      mode?: RunMode;
    }
  /** The plan in which a run with mode `plan` ends. Precedes its `run-end`. */
  | { type: "plan"; run: string; text: string }
  /** Why the run is waiting. Ends with the next event of the same run. `until` in milliseconds since 1970. */
  | {
      type: "waiting";
      run: string;
      reason: WaitReason;
      text: string;
      /** The translatable form of `text`. Absent in logs of earlier versions. */
      textCode?: CodedText;
      until?: number;
    }
  /** The provider reports that the model accepts no pictures: requests are sent without them, in the next turns too. */
  | { type: "pictures-refused"; run: string; model: string }
  /** Tool servers whose tools the turn cannot use, with the reason as a sentence; logged after its `run-start`. */
  | { type: "tools-missing"; run: string; servers: MissingServer[] }
  /** The loop sends the model its evidence and requests a repair. `attempt` counts from 1 up to `limit`. */
  | { type: "repair"; run: string; attempt: number; limit: number; reason: string }
  | {
      type: "run-end";
      run: string;
      outcome: RunOutcome;
      /** Absent if the run changed nothing: such a turn has no verdict. */
      verdict?: Verdict;
      /** One or two plain sentences: the evidence, or the problem and its remedy. */
      summary: string;
      /** The translatable form of `summary`, without the name of its verdict. */
      summaryCode?: CodedText;
      /** The model's summary of its work at the end of the turn. */
      said?: LastWords;
      revision: string;
      steps: number;
      usage: Usage;
      ms: number;
      /** If the run ended in a worse state than an earlier one: the best checkpoint it reached, which can be restored. */
      best?: { checkpoint: string; revision: string; reason: string };
      /** A stable word for programs, present when `outcome` is `error`, `interrupted` or `budget`. */
      error?: { code: ErrorCode; message: string; messageCode?: CodedText; canContinue: boolean };
    };

/** A tool server whose tools a turn cannot use. */
export interface MissingServer {
  name: string;
  why: string;
  /** The translatable form of `why`. Absent in logs of earlier versions. */
  whyCode?: CodedText | undefined;
}

/** Numbers of lines that a change added to a file and removed from it. */
export interface LineCount {
  added: number;
  removed: number;
}

/** `plan` changes nothing and ends in a plan; `discuss` changes nothing and ends in its answer. */
export type RunMode = "plan" | "discuss" | "act";

/** What a run waits for. */
export type WaitReason = "model" | "retry" | "registry" | "server" | "tab";

/** `done`: the loop ended by itself, with whatever result (see the verdict). All others: it was ended. */
export type RunOutcome = "done" | "stopped" | "interrupted" | "error" | "budget";

/** Why a run could not continue, as a stable word for programs. */
export type ErrorCode =
  | "model-missing"
  | "model-unknown"
  | "key-wrong"
  | "provider-down"
  | "provider-refused"
  | "rate-limited"
  | "overloaded"
  | "quota"
  | "context-overflow"
  | "stream-cut"
  | "stalled"
  | "output-limit"
  | "loop"
  | "restarted"
  | "workspace"
  | "budget"
  | "internal";

/** One model call and its answer. */
export type StepEvent =
  | { type: "step-start"; run: string; step: number }
  | { type: "text"; run: string; id: string; text: string; whole?: true }
  | { type: "reasoning"; run: string; id: string; text: string; whole?: true }
  /** The model grouped the calls that follow under a title (bolt's artifact). */
  | { type: "group"; run: string; id: string; title: string }
  | {
      type: "step-end";
      run: string;
      step: number;
      finish: "stop" | "tool-calls" | "length" | "filter" | "error" | "aborted";
      usage: Usage;
      /** The contents of its request by kind; absent if the model was not asked. */
      context?: ContextUse;
    };

/** A tool call, from its first character to its result. */
export type CallEvent =
  | { type: "call-open"; run: string; call: string; tool: string }
  /**
   * A string argument as it streams, already decoded: `field` is `content` of `write_file`, `command` of
   * `run_command`, and so on. `path` repeats the call's path once it is known.
   */
  | {
      type: "call-delta";
      call: string;
      field: string;
      text: string;
      path?: string;
      whole?: true;
      cut?: number;
    }
  /** The complete arguments. Strings over 2,000 characters are shortened; the `call-delta`s have the full text. */
  | { type: "call-input"; call: string; input: Record<string, unknown> }
  | { type: "call-start"; call: string }
  /** The output of a command, including escape sequences. */
  | { type: "output"; call: string; text: string; whole?: true; cut?: number }
  | {
      type: "call-end";
      call: string;
      status: "ok" | "error" | "denied" | "interrupted";
      /** In the past tense, the action first and the number last: "Wrote src/App.tsx", "Installed 28 packages". */
      title: string;
      /** The translatable form of `title`. */
      titleCode?: CodedText;
      /** The result for the model, at most 16,000 characters. */
      result: string;
      cut?: number;
      /** A screenshot of the page; its bytes are requested by its hash. */
      picture?: PagePicture;
      /** For a written file: how its lines changed. */
      lines?: LineCount;
      ms: number;
    };

/** Events of the project's workspace: files, servers, checkpoints. */
export type WorkspaceEvent =
  /** Files changed on disk; `by` is the author of a change. Paths are relative to the project, with `/`. */
  | { type: "files"; revision?: string; changes: FileChange[] }
  | { type: "server"; server: ServerState }
  /**
   * A request of the sandbox to the outside was refused. The host is named in the form in which it can be allowed.
   * Allowing has no effect if it is not a public name (`no-name`) or resolves to an address of the server's network
   * (`address`). `count`: refusals since the last report; absent: one.
   */
  | {
      type: "egress-refused";
      host: string;
      reason?: "not-allowed" | "address" | "no-name" | "registry" | "not-named" | "unreached";
      count?: number;
    }
  /** `labelCode`: the translatable form of `label`; absent if a person or the model wrote the label. */
  | {
      type: "checkpoint";
      checkpoint: string;
      revision: string;
      label: string;
      labelCode?: CodedText;
      run?: string;
    }
  /** The person gave the checkpoint a name; absent: the name was removed. */
  | { type: "checkpoint-named"; checkpoint: string; name?: string }
  /** These checkpoints were deleted to save space, and can no longer be restored. */
  | { type: "checkpoints-thinned"; checkpoints: string[] }
  /**
   * The files were restored. With `head`, so was the conversation: that is its last message from now on (empty: none),
   * and later messages are no longer part of it. `left` is the end of the conversation before, which can be restored in
   * turn.
   */
  | {
      type: "restored";
      checkpoint: string;
      revision: string;
      label: string;
      head?: string;
      left?: { checkpoint: string; head: string };
    };

/** How one file changed. */
export interface FileChange {
  path: ProjectPath;
  kind: "written" | "removed";
  by: "model" | "person" | "command";
  /** Bytes; 0 when removed. */
  size: number;
  /** SHA-1 of the new content, equal to the file's `ETag`; absent if it was removed or not read. */
  version?: string;
}

/** The project's dev server as it is now. */
export interface ServerState {
  /** `starting` until a request was answered, then `up`; `crashed` may be followed by `starting` (a restart). */
  state: "starting" | "up" | "stopped" | "crashed";
  command: string;
  /** Every port the server's processes listen on, the one that is previewed first. */
  ports: number[];
  /** Milliseconds since 1970 when it came up; absent before. */
  since?: number;
  exitCode?: number;
  /** Last lines of its output when it crashed. */
  tail?: string;
  restarts: number;
  /** Set while the server is `starting` and its packages are being installed. */
  installing?: true;
  /**
   * Set if it is `stopped` only because nobody used the project (the next visit starts it again), or `starting` after
   * that.
   */
  asleep?: true;
}

/** The result of observing a revision. */
export type EvidenceEvent =
  | { type: "evidence"; evidence: Evidence; run?: string }
  /**
   * The start and end of a check that belongs to no run. Evidence in between counts once it has ended, which the next
   * `run-start` also causes.
   */
  | { type: "look-start" }
  | { type: "look-end" };

/** How a model writes tool calls: as its provider does, as bolt's tags, or as Cline's. */
export type DialectName = "native" | "artifact" | "tags";

/** Tokens and money of model calls. `costUsd` is absent where the price is not known. */
export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  costUsd?: number;
}
