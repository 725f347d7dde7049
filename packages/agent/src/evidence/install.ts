import { packageOf, type Exit } from "@treadle/workspace";
import { describeExit } from "../tools/describe-exit.ts";
import { INSTALL_LIMITS } from "../project/install-limits.ts";
import { findPackages, missingInstall } from "../project/missing-packages.ts";
import type { ProjectFacts } from "../project/project-facts.ts";
import { readParts } from "../project/project-parts.ts";
import type { Observation } from "./observation.ts";

/** An install that may have failed by chance is tried once more, so long after it, before it counts. */
const AGAIN_MS = 1_000;
/** What npm calls a failure of the line, of the registry, or of what came over it. */
const CHANCE =
  /\b(?:ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ESOCKETTIMEDOUT|EIDLETIMEOUT|EAI_AGAIN|ENOTFOUND|EPIPE|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EINTEGRITY|TAR_\w+|Z_(?:DATA|BUF)_ERROR|E429|E50[0-4]|socket hang up|network timeout)\b/;

/** Changed packages, and files of them, that are named. */
const NAMED = 3;
const FILES_NAMED = 10;

/**
 * Proves that what package.json asks for is there, and has the project's own package manager install it where it is not.
 * @returns whether the rest can be tried.
 */
export async function observeInstall(facts: ProjectFacts, look: Observation): Promise<boolean> {
  const { workspace, signal, clock, settle } = look;
  if (facts.manifestError !== undefined) {
    settle("install", "failed", facts.manifestError, { detail: facts.manifestError });
    return false;
  }
  if (!facts.manifest) {
    settle("install", "inapplicable", "the project has no package.json");
    return true;
  }
  const { manifest } = facts;
  const found = await findPackages(facts, workspace);
  const { packages, inner } = found;
  const count = (manifest.usesWorkspaces ? await readParts(workspace) : packages).reduce(
    (sum, one) => sum + Object.keys(one.manifest?.dependencies ?? {}).length,
    0,
  );
  if (count === 0 && !manifest.usesWorkspaces) {
    settle("install", "inapplicable", "the project has no dependencies");
    return true;
  }
  const since = clock.now();
  settle("install", "going", "comparing package.json with what is installed");
  const command = await missingInstall(facts, found, workspace, signal);
  if (command === undefined) {
    const all = manifest.usesWorkspaces
      ? ", including those of its workspaces"
      : inner.folders.length > 0
        ? `, including those in ${inner.folders.join(", ")}`
        : "";
    const words = `${count} ${count === 1 ? "dependency is" : "dependencies are"} installed${all}`;
    if (!(await settleChanged(look, since))) settle("install", "held", words, { since });
    return true;
  }
  const { name } = facts.manager ?? { name: "npm" };
  settle("install", "going", `${name} install is running`);
  const install = () => workspace.run(command, { signal, isOwn: true, ...INSTALL_LIMITS });
  let exit = await install();
  signal.throwIfAborted();
  let again = "";
  if (mayBeChance(exit)) {
    settle("install", "going", `${name} install failed and is tried once more`);
    await clock.sleep(AGAIN_MS, signal);
    exit = await install();
    signal.throwIfAborted();
    again = ", at the second try";
  }
  const described = describeExit(`${name} install`, exit);
  if (described.ok && (await settleChanged(look, since))) return true;
  if (described.ok) {
    settle("install", "held", `${name} install ended with 0${again}`, {
      since,
      detail: described.result,
    });
    return true;
  }
  const how =
    exit.kind === "exited"
      ? `${name} install ended with ${exit.code}`
      : `${name} install did not end (${exit.kind})`;
  settle("install", "failed", how, { since, detail: described.result });
  return false;
}

/**
 * Packages that something else than an install has written into prove nothing of what the lock file names, whatever is seen
 * with them.
 * @returns whether there are such; the part is settled then
 */
async function settleChanged({ workspace, settle }: Observation, since: number): Promise<boolean> {
  const changed = (await workspace.changedDependencies?.()) ?? [];
  if (changed.length === 0) return false;
  const names = [...new Set(changed.map((path) => packageOf(path) ?? path))];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const named = names.slice(0, NAMED).join(", ") + more;
  settle(
    "install",
    "untried",
    `seen with packages that were changed after they were installed: ${named}`,
    {
      since,
      detail: `Written by a command, not by an install: ${changed.slice(0, FILES_NAMED).join(", ")}\n"rm -rf node_modules" and an install bring back what the lock file names.`,
    },
  );
  return true;
}

/** Whether the same command may well go through the next time: nothing in the project has to be changed for it. */
export function mayBeChance(exit: Exit): boolean {
  return exit.kind === "exited" && exit.code !== 0 && CHANCE.test(exit.output);
}
