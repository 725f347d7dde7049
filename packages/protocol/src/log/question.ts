/**
 * A run that waits for the person. `question` asks, `suspended` means that the run cannot continue
 * without an answer and stores its state, `answer` lets it continue. A question is open until its
 * `answer`, the `call-end` of its call, or the `run-end`, whichever comes first; a run has at most
 * one. The program may be restarted between `suspended` and what follows.
 */
import type { ProjectPath } from "../project-path/types.ts";
import type { TurnFault } from "../evidence/types.ts";
import type { CodedText } from "../sentences/types.ts";
import type { Author, Usage } from "./types.ts";

/** A run waits for the person, or received an answer. */
export type QuestionEvent =
  | { type: "question"; run: string; question: Question }
  | { type: "suspended"; run: string; question: string; state: SuspendedRun }
  /** `by`: the person who answered; absent on a server without accounts. */
  | { type: "answer"; run: string; question: string; answer: Answer; by?: Author };

/** A question to the person. `id` is unique in the project; `call` is the waiting call. */
export type Question = ApprovalQuestion | WordsQuestion;

/** Asks for approval of a call. */
export interface ApprovalQuestion {
  kind: "approval";
  id: string;
  call: string;
  tool: string;
  /** The reason as one sentence: "It changes a file that other programs obey." */
  why: string;
  /** The code of `why`. */
  whyCode?: CodedText;
  /** The exact subjects of the action: paths, a command, a host. */
  subject: ApprovalSubject;
  /** Digest of the call's tool and arguments; an approval only applies to exactly these. */
  digest: string;
  /** Whether it can be allowed permanently in this project. */
  mayRemember: boolean;
  /**
   * The new text of protected files that would take effect, if the call itself does not contain it: at most 5 files,
   * shortened.
   */
  shown?: { path: ProjectPath; text: string }[];
}

/** The model asks something in words. */
export interface WordsQuestion {
  kind: "words";
  id: string;
  call: string;
  text: string;
  /** Suggested answers; the person may always write another. */
  choices: string[];
}

/** The action of a call for a policy. `read` changes nothing, `outside` leaves the sandbox. */
export interface ApprovalSubject {
  kind: "read" | "write" | "remove" | "command" | "outside";
  /** Paths as the model wrote them; the whole command; a host or the name of a foreign tool. Compared exactly. */
  what: string[];
}

/** The person's answer as received over HTTP; not signed yet. */
export type GivenAnswer =
  /** `digest` identifies what the person saw, which is all that they approve. */
  | { kind: "approve"; digest: string; always?: boolean | undefined }
  | { kind: "deny"; words?: string | undefined }
  | { kind: "words"; text: string };

/** The person's answer to a question. */
export type Answer =
  /** `signature` is the server's, over project, run, call and digest. */
  | { kind: "approve"; signature: string; always?: true }
  /** The model receives `words`. */
  | { kind: "deny"; words?: string }
  | { kind: "words"; text: string };

/** The state of a suspended run. Its text and calls are in its messages. */
export interface SuspendedRun {
  /** Id of the assistant's message with the incomplete step. */
  reply: string;
  /** Calls of that step, by the provider's id, as named in the log. */
  calls: { toolCallId: string; call: string; invalid?: string }[];
  steps: number;
  callCount: number;
  /** Usage of the whole run, and of the step. */
  usage: Usage;
  stepUsage: Usage;
  /** Milliseconds of work, without the time spent waiting. */
  workedMs: number;
  seen: [path: ProjectPath, version: string][];
  touched: ProjectPath[];
  /** Names of the project's checks that failed in it. */
  failedChecks?: string[];
  /** Faults of the run, by what would fix them. */
  faults?: [key: string, fault: TurnFault][];
  changed: boolean;
  commanded: boolean;
  served?: string;
  repairs: number;
  lastFailure?: string;
  /** The revision that it was seen in. */
  lastFailedRevision?: string;
  sameFailures: number;
  /** Whether the model was told which requirements no check proves. */
  wasToldUnproven?: boolean;
  /** Whether the model was told which checks fail as they stood before it changed them. */
  wasToldChanged?: boolean;
  /** Titles of the actions in each repair. */
  tried?: string[][];
  /** The best revision so far. */
  best?: { checkpoint: string; revision: string; reason: string; score: number };
}

/**
 * Which calls need approval: each (`ask`), irreversible ones (`safe`), or only those that always do
 * (`auto`).
 */
export type ApprovalMode = "ask" | "safe" | "auto";

/** The approval policy of one project. */
export interface ApprovalPolicy {
  mode: ApprovalMode;
  /** Allowed permanently: exactly this kind, and exactly each of these. */
  always: ApprovalSubject[];
}
