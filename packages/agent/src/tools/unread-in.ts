import type { ProjectPath } from "@treadle/protocol";
import { isUnder } from "@treadle/protocol/project-path";
import type { ToolContext } from "./tool.ts";

/**
 * Returns a file at this path, or in this folder, with a version of the person that the model has
 * not seen. Removed files do not count.
 */
export function unreadIn(
  place: ProjectPath,
  { personWrites, seen }: Pick<ToolContext, "personWrites" | "seen">,
): ProjectPath | undefined {
  for (const [path, version] of personWrites)
    if (version !== "" && isUnder(path, place) && seen.get(path) !== version) return path;
  return undefined;
}
