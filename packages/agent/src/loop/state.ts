import type { LanguageModelV4 } from "@ai-sdk/provider";
import type {
  Answer,
  DialectName,
  ErrorCode,
  Evidence,
  LastWords,
  LogEvent,
  Question,
  TodoItem,
  Usage,
  Verdict,
  RunOutcome,
} from "@treadle/protocol";
import type { UIMessage } from "ai";
import type { ObeyedGuard } from "../trust/obeyed-guard.ts";
import type { StandingChecks } from "../checks/standing-checks.ts";
import type { ForeignTool } from "../tools/foreign-tools.ts";
import type { Limits, RunPorts, RunRequest } from "../types.ts";
import type { BestRevision } from "../verdict/best-revision.ts";
import type { CallGuard } from "../calls/call-guard.ts";
import type { Faults } from "../calls/faults.ts";

/** What one run knows of itself while it goes on. Made by `prepare`, changed by `execute`, read by `finalize`. */
export interface Run {
  readonly request: RunRequest;
  readonly ports: RunPorts;
  readonly limits: Limits;
  /** Changes only where the model turns out to have no tool calls of its own. */
  dialect: DialectName;
  /** Tools of foreign servers beside our own; the same from the first step to the last. */
  readonly foreign: readonly ForeignTool[];
  /** With its dialect around it. */
  languageModel: LanguageModelV4;
  /** Aborted by Stop, or by the run's time being over. */
  readonly signal: AbortSignal;
  readonly startedAt: number;
  /** Appends to the log; silent once the run has ended, so that nothing follows `run-end`. */
  emit(event: LogEvent): void;

  /** The conversation as the model is shown it: history, the person's message, replies and evidence of this run. */
  messages: UIMessage[];
  /** The assistant's message that is being made; the last of `messages`. */
  reply: UIMessage;
  /** Whether temperature 0 is sent; given up when the model refuses it. */
  sendsTemperature: boolean;
  steps: number;
  /** How often the model said that the conversation does not fit. */
  overflows: number;
  /** Tokens that the conversation may take, where the model has shown that it is less than was thought. */
  room?: number;
  /** Calls so far; the number of the next one's id. */
  calls: number;
  usage: Usage;
  /** Version of each file as the model last read or wrote it. */
  readonly seen: Map<string, string>;
  /** Paths that this run changed. */
  readonly touched: Set<string>;
  /** What went badly and was not made good yet. */
  readonly faults: Faults;
  /** What the model was told of how it writes its calls. */
  readonly noted: Set<string>;
  /** Names of the project's checks that were seen to fail in this run. */
  readonly failedChecks: Set<string>;
  /** Checkpoints that the log knows already; filled when the first one is kept. */
  checkpoints?: Set<string>;
  /** The revision as last asked for. */
  revision: string;
  /** Whether this run's calls changed a file, and whether one of them ran a command. */
  changed: boolean;
  commanded: boolean;
  /** The person asked for the repair of what is broken: it is looked at, even where nothing was changed. */
  repairAsked: boolean;
  evidence?: Evidence;
  /** The project's checks that count. */
  readonly checks: StandingChecks;
  /** The revision that the running server was started from, where this run started it. */
  served?: string;
  readonly guard: CallGuard;
  /** Absent where nothing is asked about. */
  readonly obeyed?: ObeyedGuard;
  readonly best: BestRevision;
  repairs: number;
  /** Titles of what was done for each repair. */
  tried?: string[][];
  /** Whether the model was told that code in words changes nothing. */
  toldToCall?: true;
  /** Signature of the failure that was last told, and how often it has come back in a row. */
  lastFailure?: string;
  sameFailures: number;
  /** Messages other than the reply that are still to be saved. */
  readonly unsaved: UIMessage[];
  /** The list of work, where no port keeps it, and as the model last knew it. */
  todo?: TodoItem[];
  toldTodo: string;
  /** What the model said when it last ended its turn. */
  said?: LastWords;
  /** What the person was asked: the step stands still at its call. */
  waitsFor?: Question | undefined;
  /** The person's answer with which the run goes on, until its call has taken it. */
  answer?: { question: string; answer: Answer } | undefined;
  /** What makes going on pointless, found where nothing can be thrown: the workspace or the log is gone. */
  fatal?: RunError;
}

export interface RunError {
  code: ErrorCode;
  message: string;
  canContinue: boolean;
}

/** How a run came to its end. */
export interface Ending {
  outcome: RunOutcome;
  verdict?: Verdict;
  summary: string;
  error?: RunError;
}

/** The reason that a run's signal is aborted with when its time is over. */
export class DeadlineReached extends Error {
  constructor() {
    super("The time of this run is over.");
    this.name = "DeadlineReached";
  }
}
