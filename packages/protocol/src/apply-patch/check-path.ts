import { projectPath } from "../artifact/project-path.ts";

/** A path that lies inside the project, or the sentence that says why it is refused. */
export function checkPath(written: string): string | { problem: string } {
  const checked = projectPath(written);
  return checked.ok
    ? checked.path
    : { problem: `the path ${JSON.stringify(written)} is refused: ${checked.reason}` };
}
