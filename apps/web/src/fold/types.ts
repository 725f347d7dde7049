/** The page's view of a project: the fold of its log. Values are immutable; unchanged ones keep their identity. */
import type {
  Author,
  CodedText,
  ContextUse,
  Evidence,
  FileChange,
  LineCount,
  LogEvent,
  MentionedItem,
  PictureInfo,
  ProjectPath,
  ProtectedChange,
  RunMode,
  Usage,
  MissingServer,
} from "@treadle/protocol";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Gathered } from "./gathered.ts";

/** The state common to all readers of the log, and the conversation, which only the page shows. */
export interface ProjectView extends ProjectState {
  /** Sequence number of the last applied entry; 0 if there is none. */
  seq: number;
  turns: readonly Turn[];
  /** Index of the turn with the active run. */
  open?: number;
  /** Sequence number of the entry that reported the server's last start; 0 if it never ran. */
  upSeq: number;
  /** The last change of each path, with the highest `seq`. */
  changes: ReadonlyMap<ProjectPath, Pick<FileChange, "by" | "kind" | "version"> & { seq: number }>;
  /** Paths that the person changed since the last checkpoint. */
  byHand: ReadonlySet<ProjectPath>;
  /** How many files the person had changed before a checkpoint, by its id; those without such changes are absent. */
  handEdits: ReadonlyMap<string, number>;
  /** The message of the turn that last changed the to-do list. */
  todoTurn?: string | undefined;
  /** Sequence number of the last entry that may have changed the list of files. */
  filesSeq: number;
  /** Sequence number of the last return to a checkpoint, which may have changed any file; 0 if there was none. */
  restoredSeq: number;
  /** The latest request to a model: its contents, and the tokens counted by the provider. */
  request?: { context: ContextUse; usage: Usage; model?: string };
  /** The last summary of the conversation: its time in milliseconds since 1970, and the tokens before and after. */
  compacted?: { at: number; before: number; after: number; text?: string };
}

/** One message of the person and everything that followed. */
export interface Turn {
  message: string;
  text: string;
  /** Who sent it; undefined if there is only one person. */
  by?: Author;
  pictures?: readonly PictureInfo[];
  /** The message asks to repair what was broken. */
  fix?: true;
  /** Items of the turn before that the message asks to show by checks. */
  prove?: string[];
  /** The plan that the message asks to carry out. */
  toCarryOut?: string;
  /** Files and elements that the message mentions, and how each was resolved. */
  mentioned?: readonly MentionedItem[];
  at: number;
  queued: boolean;
  /** A queued message that is sent to the active run at its next step. */
  hurried?: true;
  run?: string;
  model?: string;
  mode?: RunMode;
  /** The resulting plan of a planning turn. */
  plan?: string;
  startedAt?: number;
  /** The checkpoint of the files as the run found them. */
  before?: string;
  items: TurnItem[];
  /** Whether a step of the model is in progress; undefined before the first. */
  asking?: boolean;
  waiting?: Waiting;
  repair?: { attempt: number; limit: number; reason: string };
  /** Time of this run's latest entry, in milliseconds since 1970. */
  lastAt: number;
  end?: RunEnd;
  /** Checkpoints restored by the person after the run. */
  after: { checkpoint: string; label: string; at: number }[];
}

export type RunEnd = Extract<LogEvent, { type: "run-end" }> & { at: number };

export interface Waiting {
  reason: Extract<LogEvent, { type: "waiting" }>["reason"];
  text: string;
  textCode?: CodedText | undefined;
  since: number;
  until?: number;
}

export type TurnItem =
  | InterjectionItem
  | TextItem
  | CallItem
  | RepairItem
  | GroupItem
  | LookItem
  | PicturesRefusedItem
  | ToolsMissingItem
  | ProtectedFilesItem;

/** A message that the person sent to the run while it was active. */
export interface InterjectionItem {
  kind: "said";
  message: string;
  text: string;
  by?: Author;
}

export interface TextItem {
  kind: "text" | "reasoning";
  id: string;
  text: Gathered;
}

/**
 * `writing`: the arguments are still arriving. `waiting`: they are complete, and an earlier call is in progress.
 * `running`: the call has started. The others are those of the log's `call-end`.
 */
export type CallStatus =
  | "writing"
  | "waiting"
  | "running"
  | "ok"
  | "error"
  | "denied"
  | "interrupted";

export interface CallItem {
  kind: "call";
  call: string;
  tool: string;
  path?: ProjectPath;
  /** String arguments as they stream, by name. */
  fields: ReadonlyMap<string, Gathered>;
  input?: Record<string, unknown>;
  output?: Gathered;
  status: CallStatus;
  title?: string;
  /** The code for `title`. */
  titleCode?: CodedText | undefined;
  result?: string;
  /** The person's answer to a question about or by this call. */
  answer?: string;
  /** Who answered it; undefined if there is only one person. */
  answeredBy?: Author;
  /** A picture of the page. */
  picture?: { hash: string };
  /** Lines added to and removed from the file that the call wrote. */
  lines?: LineCount;
  ms?: number;
  /** The log shortened part of this call; the server has all of it. */
  cut?: true;
  /** When it was started, or else when it was opened, in milliseconds since 1970. */
  since: number;
}

export interface RepairItem {
  kind: "repair";
  attempt: number;
  limit: number;
  reason: string;
}

export interface GroupItem {
  kind: "group";
  id: string;
  title: string;
}

/** The provider reported that this model does not read pictures. */
export interface PicturesRefusedItem {
  kind: "pictures-refused";
  model: string;
}

/** Tool servers that are missing in this turn. */
export interface ToolsMissingItem {
  kind: "tools-missing";
  servers: MissingServer[];
}

/** Files that take effect outside the sandbox and that were changed without a request. */
export interface ProtectedFilesItem {
  kind: "protected-files";
  state: "stands" | "put-back";
  files: readonly ProtectedChange[];
}

/** The evidence for one revision, seen during the run. */
export interface LookItem {
  kind: "look";
  evidence: Evidence;
}
