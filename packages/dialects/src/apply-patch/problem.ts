import { projectPath } from "../artifact/project-path.ts";

/** What is wrong with a patch: thrown while parsing, and returned to the caller as a result. */
export class PatchProblem extends Error {}

export function fail(message: string): never {
  throw new PatchProblem(message);
}

/** The path, checked to be inside the project. */
export function checkPath(written: string): string {
  const checked = projectPath(written);
  if (checked.ok) return checked.path;
  return fail(`the path ${JSON.stringify(written)} is refused: ${checked.reason}`);
}
