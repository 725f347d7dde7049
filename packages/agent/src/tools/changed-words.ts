import type { ProjectPath } from "@treadle/protocol";
import type { ToolContext } from "./tool.ts";

/**
 * Who changed a file while the run went on. What came through the page is the person's; of all else it is not known,
 * and what a program wrote must not pass for the person's wish (A27).
 */
export function changedWords(
  path: ProjectPath,
  { personWrites, isPersons }: Pick<ToolContext, "personWrites" | "isPersons">,
): string {
  return isPersons?.(path, personWrites.get(path) ?? "") === false
    ? `${path} was changed while you were working, in an editor of the person's or by a program of the project`
    : `the person changed ${path} while you were working`;
}
