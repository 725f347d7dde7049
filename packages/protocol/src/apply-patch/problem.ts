import { projectPath } from "../artifact/project-path.ts";

/** What is wrong with a patch: thrown while it is read, a result to who asked. */
export class PatchProblem extends Error {}

/** The path, which lies inside the project. */
export function checkPath(written: string): string {
  const checked = projectPath(written);
  if (checked.ok) return checked.path;
  throw new PatchProblem(`the path ${JSON.stringify(written)} is refused: ${checked.reason}`);
}
