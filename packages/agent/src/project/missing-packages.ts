import type { Workspace } from "@treadle/workspace";
import { findInnerPackages, type InnerPackages } from "./inner-packages.ts";
import { installCommand } from "./install-command.ts";
import { isInstalled } from "./is-installed.ts";
import { inProject, readFactsAt, type Manifest, type ProjectFacts } from "./project-facts.ts";

/** A project's own package, and those in its folders that its own install does not cover. */
export interface ProjectPackages {
  packages: (ProjectFacts & { manifest: Manifest })[];
  inner: InnerPackages;
}

export async function findPackages(
  facts: ProjectFacts,
  workspace: Workspace,
): Promise<ProjectPackages> {
  const inner = await findInnerPackages(facts, workspace);
  const innerFacts = await Promise.all(inner.folders.map((one) => readFactsAt(workspace, one)));
  const packages = [facts, ...innerFacts].flatMap((one) =>
    one.manifest ? [{ ...one, manifest: one.manifest }] : [],
  );
  return { packages, inner };
}

/** The command that installs the missing packages; undefined if none is missing. */
export async function missingInstall(
  facts: ProjectFacts,
  { packages, inner }: ProjectPackages,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const missing: ProjectPackages["packages"] = [];
  for (const one of packages) if (!(await isInstalled(one, workspace, signal))) missing.push(one);
  if (missing.length === 0) return undefined;
  const isInner = missing.some(({ folder }) => folder !== facts.folder);
  if (isInner && inner.script !== undefined)
    return inProject(facts, `${facts.manager?.name ?? "npm"} run ${inner.script}`);
  const commands = missing.map(installCommand);
  return commands.length > 1 ? commands.map((one) => `(${one})`).join(" && ") : commands[0]!;
}
