import type { DialectName } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import type { StepRecord } from "../answer/step-record.ts";
import { standingTodo, type StandingTodo } from "../context/todo/standing-todo.ts";

/** Commands whose output nobody needs to read when they went well. */
const EXPECTED = /^\s*(?:npm|pnpm|yarn|npx|bun)\s/;

/**
 * Whether the model considers its turn done. That is an answer without calls, or one with `finish` in which nothing
 * went wrong. In the artifact dialect an answer holds all of its actions and is not meant to be gone on with: it ends the
 * turn if all of them went well and none was asked for its output.
 */
export function endsTurn(
  { finish, calls }: StepRecord,
  dialect: DialectName,
  todo: StandingTodo,
): boolean {
  if (finish === "length") return false;
  if (calls.length === 0) return true;
  if (calls.some(({ tool }) => toolKind(tool) === "ends"))
    return calls.every(({ outcome }) => outcome?.status === "ok");
  if (dialect !== "artifact") return false;
  // A list with open work on it says that more is to come.
  const listed = calls.some(({ tool }) => toolKind(tool) === "plans");
  if (listed && standingTodo(todo).some(({ status }) => status !== "done")) return false;
  return calls.every(({ tool, input, outcome }) => {
    if (outcome?.status !== "ok") return false;
    const kind = toolKind(tool);
    if (kind === "reads") return false;
    const command = input?.["command"];
    return kind !== "runs" || (typeof command === "string" && EXPECTED.test(command));
  });
}
