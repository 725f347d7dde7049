/** What a run is asked for, needs from outside and comes to. The ports themselves are in `ports/`. */
import type {
  Answer,
  AskedItem,
  DialectName,
  Evidence,
  Finding,
  ModelHabits,
  ProjectPath,
  Question,
  RunMode,
  RunOutcome,
  SuspendedRun,
  TodoItem,
  Usage,
  Verdict,
} from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { UIMessage } from "ai";
import type { Approvals } from "../calls/approvals.ts";
import type { ChecksStore } from "../checks/which-checks-count.ts";
import type { Personal } from "../context/briefing/types.ts";
import type { MentionSources } from "../context/mentions/types.ts";
import type { ChangedFile } from "../context/parts/changed-files.ts";
import type { McpTool } from "../mcp/types.ts";
import type { Clock } from "../ports/clock.ts";
import type { Limits } from "../ports/limits.ts";
import type { LogPort } from "../ports/log.ts";
import type { Browser } from "../ports/browser.ts";
import type { DataCopies } from "../ports/data-copies.ts";
import type { Model } from "../ports/model.ts";
import type { PicturePort } from "../ports/pictures.ts";
import type { RecordedWork } from "../ports/recorded-work.ts";
import type { ReadTemplate } from "../ports/templates.ts";
import type { OutputPort } from "../tools/outputs/types.ts";
import type { Locks } from "../trust/locks.ts";
import type { IsAccepted } from "../trust/protected-files.ts";
import type { BeginLook } from "../verdict/look-at-project.ts";

export interface RunPorts {
  model: Model;
  workspace: Workspace;
  log: LogPort;
  /** Absent where no page can be opened at all: the page then stays untried and the verdict says so. */
  browser?: Browser;
  /** Absent where the app cannot be copied: it is looked at on the person's own data then. */
  copies?: DataCopies | undefined;
  /** Absent where pictures cannot be kept: none are taken then. */
  pictures?: PicturePort;
  /** Absent where outputs cannot be kept: the model sees head and tail of a long one then, and no more. */
  outputs?: OutputPort;
  /** Absent where no templates are installed: `use_template` then says so. */
  readTemplate?: ReadTemplate;
  /** What the person wants in every project. */
  personal?: Personal;
  /** Tools of foreign servers that answer now; they come on top of our own, and stay for the whole run. */
  mcp?: readonly McpTool[];
  /** Tool servers that have none to give now, and why: the person is told. */
  mcpMissing?: readonly { name: string; why: string }[];
  /** Absent: nothing is asked. */
  approvals?: Approvals;
  /** Which content of a file of rules or of a skill was agreed to: no other is told. Absent: any. */
  isAccepted?: IsAccepted;
  /** Files and folders that the model leaves alone. Absent: none. */
  locks?: Locks;
  /** The project's checks that count. Absent: the run knows them from its own beginning on. */
  checks?: ChecksStore;
  /** Begins a look that the person may stop while the run goes on. Absent: only the run can be stopped. */
  beginLook?: BeginLook;
  /** What `@terminal` and `@problems` name. Absent: there is none. */
  mentioned?: MentionSources;
  /** The project's list of work as it stands, the person's changes in it. Absent: the run keeps its own. */
  todo?: () => readonly TodoItem[] | undefined;
  /**
   * Called with the checkpoint that the run begins from, and awaited, before the model is asked. Not called where it is
   * resumed.
   */
  onBegin?(checkpoint: string): void | Promise<void>;
  /** Outcomes of a recorded run, given in place of running anything. Absent: everything is run. */
  recorded?: RecordedWork;
  /** The model has shown something of itself that is worth to be kept for its next turns, in place of what was. */
  learn?(habits: ModelHabits): void;
  clock: Clock;
  /** 0 to 1, for the jitter of retries; default `Math.random`. */
  random?: () => number;
  /** Keeps a message as it stands; called after each step and at the end, in order. */
  save(message: UIMessage): Promise<void>;
  /**
   * The run wrote this content: the watcher's notice of it is the model's hand, not the person's. `unseen`: it holds what
   * was there before and nobody agreed to, so that an approval of the call is none of the content.
   */
  wrote(path: ProjectPath, version: string, unseen?: boolean): void;
  /** Resolves when the person saves nothing at these paths any more: what they saved is in `personWrites` then. */
  personSettled?(paths: readonly ProjectPath[]): Promise<void>;
}

/** What a run that waited for the person goes on with. */
export interface Resume {
  state: SuspendedRun;
  question: Question;
  /** Absent where the run is only to be ended. */
  answer?: Answer;
}

export interface RunRequest {
  run: string;
  /** The conversation so far, without the new message. */
  history: UIMessage[];
  /** The person's message; already in the log, and saved. */
  message: UIMessage;
  /** What changed since the last run ended. */
  changes: ChangedFile[];
  /** Paths the person wrote while this run goes on, with the version: kept up to date by the caller. */
  personWrites: ReadonlyMap<ProjectPath, string>;
  /** Files of the project's rules that the person switched off. */
  rulesOff?: readonly string[];
  /** Files that the person has open in the editor; absent: not known. */
  open?: readonly string[];
  /** The model is told once what of the request no check shows. Default false. */
  thorough?: boolean;
  /** What was asked for in the turn before. */
  askedBefore?: readonly AskedItem[] | undefined;
  /** Names of the checks that failed when the project was looked at last. */
  failedBefore?: readonly string[];
  /** What that look found. The model has been told it, and is not told it again. */
  foundBefore?: readonly Finding[] | undefined;
  /** What the newest revision with a verdict had; a run that mends it is checked even if it only ran commands. */
  lastVerdict?: Verdict;
  /** Hosts that the app wanted in vain at the last look, and may reach by now. */
  nowAllowed?: readonly string[] | undefined;
  /** What counts is another than at the last look: the project is looked at even where the run changes nothing. */
  look?: boolean;
  dialect?: DialectName;
  limits?: Partial<Limits>;
  /** `plan` and `discuss` read and ask, and change nothing; default `act`. */
  mode?: RunMode;
  /** The run goes on from where it waited; `history` then holds its messages too. */
  resume?: Resume;
  /** What the person said for this run since the last time, each once; asked for between its steps. */
  takeSteering?: () => Promise<UIMessage[]>;
  /** Aborted by Stop. */
  signal: AbortSignal;
}

export interface RunResult {
  /** `waiting`: for the person, without a `run-end`; it goes on by another call with `resume`. */
  outcome: RunOutcome | "waiting";
  verdict?: Verdict;
  summary: string;
  revision: string;
  steps: number;
  usage: Usage;
  evidence?: Evidence;
}
