/** How a run asks the person, and what came of it. */
import type { Answer, ApprovalPolicy, Question, SuspendedRun } from "@treadle/protocol";

/** What a project allows, and the server's word for it. */
export interface Approvals {
  /** As it stands now: the person may change it while a run goes on. */
  policy(): ApprovalPolicy;
  /** Whether the server itself signed this approval, for exactly this. */
  isSigned(approval: SignedApproval): boolean;
  /**
   * Whether the person saved this content of a file in the page; an empty version: removed it there. Absent: whatever is
   * said to be theirs is. What a server writes between commands looks like a person's editor.
   */
  isPersons?(path: string, version: string): boolean;
  /** Keeps what a file had become that was put back, for the person. @returns whether it could. Never rejects. */
  keepPutBack?(bytes: Uint8Array): Promise<boolean>;
}

export interface SignedApproval {
  run: string;
  call: string;
  /** Of the call's tool and arguments (`callDigest`). */
  digest: string;
  signature: string;
}

/** What a run that waited for the person goes on with. */
export interface Resume {
  state: SuspendedRun;
  question: Question;
  /** Absent where the run is only to be ended. */
  answer?: Answer;
}

/** What a tool asks before it can be run; `execute` has the answer in its context. */
export interface Asked {
  text: string;
  /** Answers to choose from; the person may always say something else. */
  choices?: string[];
}
