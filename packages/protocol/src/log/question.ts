/**
 * A run that waits for the person. `question` asks, `suspended` says that nothing more can be done without an answer
 * and keeps what the run has to know to go on, `answer` lets it go on. A question is open until its `answer`, until the
 * `call-end` of its call, or until the `run-end`, whichever comes first; a run has at most one. Between `suspended` and
 * what follows, the program may have been stopped and started again.
 */
import type { ProjectPath } from "../project-path/types.ts";
import type { TurnFault } from "../evidence/types.ts";
import type { CodedText } from "../sentences/types.ts";
import type { Usage } from "./types.ts";

/** A run waits for the person, or was answered. */
export type QuestionEvent =
  | { type: "question"; run: string; question: Question }
  | { type: "suspended"; run: string; question: string; state: SuspendedRun }
  | { type: "answer"; run: string; question: string; answer: Answer };

/** What the person is asked. `id` is unique in the project; `call` is the call that waits for it. */
export type Question = ApprovalQuestion | WordsQuestion;

/** May this call be made? */
export interface ApprovalQuestion {
  kind: "approval";
  id: string;
  call: string;
  tool: string;
  /** Why it is asked, as one sentence: "It changes a file that other programs obey." */
  why: string;
  /** What `why` says. */
  whyCode?: CodedText;
  /** The exact subjects of the action: paths, a command, a host. */
  subject: ApprovalSubject;
  /** Of the call's tool and arguments; an approval holds for exactly these. */
  digest: string;
  /** Whether it can be allowed once and for all in this project. */
  mayRemember: boolean;
  /** Text of what would be obeyed then, where the call itself does not hold it: 5 files at most, shortened. */
  shown?: { path: ProjectPath; text: string }[];
}

/** The model asks something in words. */
export interface WordsQuestion {
  kind: "words";
  id: string;
  call: string;
  text: string;
  /** Answers to choose from; the person may always say something else. */
  choices: string[];
}

/** What a call does, as far as a policy looks at it. `read` changes nothing, `outside` leaves the sandbox. */
export interface ApprovalSubject {
  kind: "read" | "write" | "remove" | "command" | "outside";
  /** Paths as the model wrote them; the whole command; a host or the name of a foreign tool. Compared exactly. */
  what: string[];
}

/** The person's answer to a question. */
export type Answer =
  /** `signature` is the server's own, over project, run, call and digest. */
  | { kind: "approve"; signature: string; always?: true }
  /** The model receives `words`. */
  | { kind: "deny"; words?: string }
  | { kind: "words"; text: string };

/** The state of a suspended run. Its text and calls are in its messages. */
export interface SuspendedRun {
  /** Id of the assistant's message whose last step is not done. */
  reply: string;
  /** Calls of that step, by the provider's id, as the log names them. */
  calls: { toolCallId: string; call: string; invalid?: string }[];
  steps: number;
  callCount: number;
  /** Of the whole run, and of the step. */
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
  sameFailures: number;
  /** Whether the model was told which requirements no check proves. */
  wasToldUnproven?: boolean;
  /** Titles of the actions in each repair. */
  tried?: string[][];
  /** The best revision so far. */
  best?: { checkpoint: string; revision: string; reason: string; score: number };
}

/** When a call is asked about: each (`ask`), what cannot be taken back (`safe`), or only what must always be (`auto`). */
export type ApprovalMode = "ask" | "safe" | "auto";

/** What the person allows in one project. */
export interface ApprovalPolicy {
  mode: ApprovalMode;
  /** Allowed once and for all: exactly this kind, and exactly each of these. */
  always: ApprovalSubject[];
}
