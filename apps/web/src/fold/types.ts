/** What the page shows of a project: the fold of its log. Values are immutable; what did not change keeps its identity. */
import type {
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
} from "@treadle/protocol";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Gathered } from "./gathered.ts";

/** What every reader of the log knows of the project, and what only the page shows: what was said and done, turn by turn. */
export interface ProjectView extends ProjectState {
  /** Number of the last entry that was folded; 0 when none was. */
  seq: number;
  turns: readonly Turn[];
  /** Index of the turn whose run goes on. */
  open?: number;
  /** Seq of the entry that said that the server is up, when it was not before; 0: it never was. */
  upSeq: number;
  /** The last change of each path, newest `seq`. */
  changes: ReadonlyMap<ProjectPath, Pick<FileChange, "by" | "kind" | "version"> & { seq: number }>;
  /** Paths that the person changed since the last checkpoint. */
  byHand: ReadonlySet<ProjectPath>;
  /** How many files the person had changed before a checkpoint, by its id; those without such changes are absent. */
  handEdits: ReadonlyMap<string, number>;
  /** Message of the turn in which the list of work was changed last. */
  todoTurn?: string | undefined;
  /** Seq of the last entry after which the list of files may be another. */
  filesSeq: number;
  /** The newest request of a model: what it held, and what the provider counted. */
  request?: { context: ContextUse; usage: Usage; model?: string };
  /** When the conversation was last summed up, in milliseconds since 1970, and its tokens. */
  compacted?: { at: number; before: number; after: number; text?: string };
}

/** One message of the person and everything that followed. */
export interface Turn {
  message: string;
  text: string;
  pictures?: readonly PictureInfo[];
  /** It asks for the repair of what was broken. */
  fix?: true;
  /** The plan that it asks to carry out. */
  toCarryOut?: string;
  /** What the message points at, and what came of it. */
  mentioned?: readonly MentionedItem[];
  at: number;
  queued: boolean;
  /** Of a queued one: it is told to the run that goes on, at its next step. */
  hurried?: true;
  run?: string;
  model?: string;
  mode?: RunMode;
  /** What a turn that only planned ended in. */
  plan?: string;
  startedAt?: number;
  /** The checkpoint of the files as the run found them. */
  before?: string;
  items: TurnItem[];
  /** Whether a step of the model goes on; absent before the first. */
  asking?: boolean;
  waiting?: Waiting;
  repair?: { attempt: number; limit: number; reason: string };
  /** When the last entry of this run came, in milliseconds since 1970. */
  lastAt: number;
  end?: RunEnd;
  /** What was done by hand after the run: going back to a checkpoint. */
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
  | SaidItem
  | TextItem
  | CallItem
  | RepairItem
  | GroupItem
  | LookItem
  | PicturesRefusedItem
  | ToolsMissingItem
  | ProtectedFilesItem;

/** What the person said while the run went on, and it was told. */
export interface SaidItem {
  kind: "said";
  message: string;
  text: string;
}

export interface TextItem {
  kind: "text" | "reasoning";
  id: string;
  text: Gathered;
}

/**
 * `writing`: its arguments still arrive. `waiting`: they are complete, an earlier call goes on. `running`: it was started.
 * The others as in the log's `call-end`.
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
  /** What `title` says. */
  titleCode?: CodedText | undefined;
  result?: string;
  /** What the person said when they were asked about it, or by it. */
  answer?: string;
  /** What the page looked like. */
  picture?: { hash: string };
  /** What became of the lines of the file that it wrote. */
  lines?: LineCount;
  ms?: number;
  /** Something of it is there with head and tail; the server has the whole. */
  cut?: true;
  /** Milliseconds since 1970: when it was started, else when it was opened. */
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

/** The provider said that this model reads no pictures. */
export interface PicturesRefusedItem {
  kind: "pictures-refused";
  model: string;
}

/** Tool servers that the turn goes without. */
export interface ToolsMissingItem {
  kind: "tools-missing";
  servers: { name: string; why: string }[];
}

/** Files that are obeyed outside the sandbox were changed by who was not asked to. */
export interface ProtectedFilesItem {
  kind: "protected-files";
  state: "stands" | "put-back";
  files: readonly ProtectedChange[];
}

/** What was seen of one revision while the run went on. */
export interface LookItem {
  kind: "look";
  evidence: Evidence;
}
