import type { ApprovalPolicy } from "@treadle/protocol";
import type { PersonsFiles } from "../trust/persons-files.ts";

/** What a project allows, and the server's word for it. */
export interface Approvals extends PersonsFiles {
  /** The current policy, which the person may change during a run. */
  policy(): ApprovalPolicy;
  /** Whether the server itself signed this approval, for exactly this. */
  isSigned(approval: SignedApproval): boolean;
}

export interface SignedApproval {
  run: string;
  call: string;
  /** Of the call's tool and arguments (`callDigest`). */
  digest: string;
  signature: string;
}
