import type { Workspace } from "@treadle/workspace";
import { findPackages } from "./missing-packages.ts";
import { inProject, type ProjectFacts } from "./project-facts.ts";

/** One script of several packages of a project. */
export interface InnerScripts {
  /** Runs the script in each package until one fails. */
  command: string;
  /** The texts of the scripts. */
  texts: string[];
}

/**
 * Finds a script of the packages in a project's folders (`frontend`, `backend`). Undefined if the project itself has a
 * script of that name, or none of the packages has one.
 * @param name such as `test`
 * @param isMeant whether a script's text counts; by default any that is not blank
 */
export async function innerScripts(
  facts: ProjectFacts,
  workspace: Workspace,
  name: string,
  isMeant = (text: string) => text.trim() !== "",
): Promise<InnerScripts | undefined> {
  if (facts.manifest?.scripts[name] !== undefined) return undefined;
  const { packages } = await findPackages(facts, workspace);
  const having = packages.filter(({ manifest }) => isMeant(manifest.scripts[name] ?? ""));
  if (having.length === 0) return undefined;
  const manager = facts.manager?.name ?? "npm";
  return {
    command: having.map((one) => `(${inProject(one, `${manager} run ${name}`)})`).join(" && "),
    texts: having.map(({ manifest }) => manifest.scripts[name]!),
  };
}
