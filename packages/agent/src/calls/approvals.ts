import type { ApprovalPolicy } from "@treadle/protocol";
import type { PersonsFiles } from "../trust/persons-files.ts";

/** The project's approval policy, and the check of approvals that the server has signed. */
export interface Approvals extends PersonsFiles {
  /** The current policy, which the person may change during a run. */
  policy(): ApprovalPolicy;
  /** Whether the server itself signed this approval, for exactly this call. */
  isSigned(approval: SignedApproval): boolean;
}

export interface SignedApproval {
  run: string;
  call: string;
  /** The digest of the call's tool and arguments (`callDigest`). */
  digest: string;
  signature: string;
}
