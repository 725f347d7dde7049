/** The request, the ports and the result of a run. The ports themselves are defined in `ports/`. */
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
  MissingServer,
} from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { UIMessage } from "ai";
import type { Approvals } from "../calls/approvals.ts";
import type { ChecksStore } from "../checks/which-checks-count.ts";
import type { TurnsBefore } from "../context/parts/with-standing.ts";
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
  /** Absent if no page can be opened. The page then stays untried, and the verdict says so. */
  browser?: Browser;
  /** Absent if the app cannot be copied. It is then observed on the person's own data. */
  copies?: DataCopies | undefined;
  /** Absent if pictures cannot be stored. None are taken then. */
  pictures?: PicturePort;
  /** Absent if outputs cannot be stored. The model then only sees the head and the tail of a long one. */
  outputs?: OutputPort;
  /** Absent if no templates are installed. `use_template` then says so. */
  readTemplate?: ReadTemplate;
  /** The person's own rules and skills, which apply to every project. */
  personal?: Personal;
  /** Tools of external servers that are available. They supplement the built-in ones and stay the same for the whole run. */
  mcp?: readonly McpTool[];
  /** Tool servers that offer no tools at present, with the reason, which is shown to the person. */
  mcpMissing?: readonly MissingServer[];
  /** Absent if the person is never asked. */
  approvals?: Approvals;
  /** Whether the person has accepted the content of a rules file or a skill; other content is withheld. Absent to accept all. */
  isAccepted?: IsAccepted;
  /** Files and folders that the model must not change. Absent for none. */
  locks?: Locks;
  /** The store of the project's checks that count. Without it, the run only knows those since its own start. */
  checks?: ChecksStore;
  /** Begins an observation that the person can stop separately. Without it, only the whole run can be stopped. */
  beginLook?: BeginLook;
  /** Resolves `@terminal` and `@problems`. Absent if neither exists. */
  mentioned?: MentionSources;
  /** The project's current to-do list, including the person's changes. Without it, the run keeps its own list. */
  todo?: () => readonly TodoItem[] | undefined;
  /**
   * Called with the checkpoint from which the run starts, and awaited before the first model call. Not called if the run is
   * resumed.
   */
  onBegin?(checkpoint: string): void | Promise<void>;
  /** The results of a recorded run, used instead of executing calls. Absent to execute everything. */
  recorded?: RecordedWork;
  /** Called when the observed habits of the model change; they replace the earlier ones. */
  learn?(habits: ModelHabits): void;
  clock: Clock;
  /** 0 to 1, for the jitter of retries; default `Math.random`. */
  random?: () => number;
  /** Saves the current state of a message. Called in order, after each step and at the end. */
  save(message: UIMessage): Promise<void>;
  /**
   * Reports that the run wrote this content, so that the watcher attributes the change to the model and not to the person.
   * `unseen`: the content includes earlier text that nobody accepted, so approving the call does not approve the content.
   */
  wrote(path: ProjectPath, version: string, unseen?: boolean): void;
  /** Resolves once the person's pending saves to these paths are complete and recorded in `personWrites`. */
  personSettled?(paths: readonly ProjectPath[]): Promise<void>;
}

/** The state with which a run resumes after it waited for the person. */
export interface Resume {
  state: SuspendedRun;
  question: Question;
  /** Absent if the run only has to be ended. */
  answer?: Answer;
}

export interface RunRequest extends TurnsBefore {
  run: string;
  /** The conversation so far, without the new message. */
  history: UIMessage[];
  /** The person's message, which is already logged and saved. */
  message: UIMessage;
  /** Changes since the end of the last run. */
  changes: ChangedFile[];
  /** Paths that the person has written during this run, with their versions. Updated by the caller. */
  personWrites: ReadonlyMap<ProjectPath, string>;
  /** Rules files of the project that the person has switched off. */
  rulesOff?: readonly string[];
  /** Files that are open in the person's editor. Absent if unknown. */
  open?: readonly string[];
  /** Whether the model is informed once about requests that no check covers. Default false. */
  thorough?: boolean;
  /** The requests of the previous turn. */
  askedBefore?: readonly AskedItem[] | undefined;
  /** Those of `askedBefore` that no check shows yet, in their original wording. */
  openBefore?: readonly string[];
  /** Requirements that the message asks to prove by checks. Absent: the message is no such request. */
  prove?: readonly string[] | undefined;
  /** Names of the checks that failed in the last evidence. */
  failedBefore?: readonly string[];
  /** Findings of the last evidence. The model already knows them, so they are not repeated. */
  foundBefore?: readonly Finding[] | undefined;
  /** The verdict of the newest judged revision. A run that repairs it is checked even if it only ran commands. */
  lastVerdict?: Verdict;
  /** Whether the checks that count have changed since the last evidence, so that the project is observed in any case. */
  look?: boolean;
  dialect?: DialectName;
  limits?: Partial<Limits>;
  /** `plan` and `discuss` only read and ask. Default `act`. */
  mode?: RunMode;
  /** Set if the run resumes after waiting; `history` then includes its own messages. */
  resume?: Resume;
  /** Returns messages that the person added to this run since the last call. Called between steps. */
  takeSteering?: () => Promise<UIMessage[]>;
  /** Aborted when the person stops the run. */
  signal: AbortSignal;
}

export interface RunResult {
  /** `waiting`: the run waits for the person without a `run-end` and continues in another call with `resume`. */
  outcome: RunOutcome | "waiting";
  verdict?: Verdict;
  summary: string;
  revision: string;
  steps: number;
  usage: Usage;
  evidence?: Evidence;
}
