import type { Run } from "./state.ts";
import type { StepRecord } from "./step-record.ts";

/** Commands whose output nobody needs to read when they went well. */
const EXPECTED = /^\s*(?:npm|pnpm|yarn|npx|bun)\s/;

/**
 * Whether the model considers its turn done. Natively that is an answer without calls. In the artifact dialect an
 * answer holds all of its actions and is not meant to be gone on with: it ends the turn if all of them went well and
 * none was asked for its output.
 */
export function endsTurn(run: Run, { finish, calls }: StepRecord): boolean {
  if (finish === "length") return false;
  if (calls.length === 0) return true;
  if (run.dialect !== "artifact") return false;
  return calls.every(({ tool, input, outcome }) => {
    if (outcome?.status !== "ok") return false;
    if (tool === "use_skill") return false;
    const command = input?.["command"];
    return tool !== "run_command" || (typeof command === "string" && EXPECTED.test(command));
  });
}
