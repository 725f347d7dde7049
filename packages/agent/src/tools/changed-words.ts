import type { ProjectPath } from "@treadle/protocol";
import type { ToolContext } from "./tool.ts";

/**
 * Describes who changed a file during the run. Changes through the page are the person's; the origin of all others is
 * unknown, and a program's change must not be presented as the person's wish (A27).
 */
export function changedWords(
  path: ProjectPath,
  { personWrites, isPersons }: Pick<ToolContext, "personWrites" | "isPersons">,
): string {
  return isPersons?.(path, personWrites.get(path) ?? "") === false
    ? `${path} was changed while you were working, in an editor of the person's or by a program of the project`
    : `the person changed ${path} while you were working`;
}
