import type { ProjectPath } from "@treadle/protocol";
import { isUnder } from "@treadle/protocol/project-path";
import type { ToolContext } from "./tool.ts";

/** A file at this path, or in this folder, that the person left as the model has not seen it; one that is gone is none. */
export function unreadIn(
  place: ProjectPath,
  { personWrites, seen }: Pick<ToolContext, "personWrites" | "seen">,
): ProjectPath | undefined {
  for (const [path, version] of personWrites)
    if (version !== "" && isUnder(path, place) && seen.get(path) !== version) return path;
  return undefined;
}
