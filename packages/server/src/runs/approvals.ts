import type { Approvals } from "@treadle/agent";
import type { ApprovalMode, ApprovalPolicy, ApprovalQuestion } from "@treadle/protocol";
import type { ProjectContext } from "../project-context/project-context.ts";

type Known = Pick<ProjectContext, "id" | "view" | "parts">;
type Working = Known & Pick<ProjectContext, "trust">;

/** The current approval policy. */
export function policyOf({ view, parts }: Pick<Known, "view" | "parts">): ApprovalPolicy {
  return view.approvals ?? { mode: parts.approvalMode, always: [] };
}

/**
 * The project's approvals for a run.
 * @param mode overrides the project's own
 */
export function approvalsOf(context: Working, mode?: ApprovalMode): Approvals {
  const { id, parts, trust } = context;
  return {
    policy: () => ({ ...policyOf(context), ...(mode ? { mode } : {}) }),
    isSigned: ({ run, call, digest, signature }) =>
      parts.store.signer.isSigned([id, run, call, digest], signature),
    isPersons: (path, version) => trust.authors.isPersons(path, version),
    keepPutBack: (bytes) => trust.keepPutBack(bytes),
  };
}

/** The server's signature that the person approved exactly this call. */
export function signApproval(
  { id, parts }: Pick<Known, "id" | "parts">,
  run: string,
  { call, digest }: ApprovalQuestion,
): string {
  return parts.store.signer.sign([id, run, call, digest]);
}
