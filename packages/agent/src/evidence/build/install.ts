import { packageOf, type Exit } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { describeExit } from "../../tools/describe-exit.ts";
import { INSTALL_LIMITS } from "../../project/install-limits.ts";
import { findPackages, missingInstall } from "../../project/missing-packages.ts";
import type { ProjectFacts } from "../../project/project-facts.ts";
import { readParts } from "../../project/project-parts.ts";
import type { Observation } from "../observation.ts";

/** Milliseconds before an install that may have failed by chance is retried. */
const AGAIN_MS = 1_000;
/** Error codes of npm and of the network for failures that may be temporary. */
const CHANCE =
  /\b(?:ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ESOCKETTIMEDOUT|EIDLETIMEOUT|EAI_AGAIN|ENOTFOUND|EPIPE|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EINTEGRITY|TAR_\w+|Z_(?:DATA|BUF)_ERROR|E429|E50[0-4]|socket hang up|network timeout)\b/;

/** Maximum number of changed packages, and of their files, that are listed. */
const NAMED = 3;
const FILES_NAMED = 10;

/**
 * Proves that the dependencies in package.json are installed, and runs the project's own package manager if they are not.
 * @returns whether the later parts can be tried
 */
export async function observeInstall(facts: ProjectFacts, look: Observation): Promise<boolean> {
  const { workspace, signal, clock, settle } = look;
  if (facts.manifestError !== undefined) {
    settle("install", "failed", facts.manifestError, { detail: facts.manifestError });
    return false;
  }
  if (!facts.manifest) {
    settle("install", "inapplicable", sentence("no-manifest"));
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
    settle("install", "inapplicable", sentence("no-dependencies"));
    return true;
  }
  const since = clock.now();
  settle("install", "going", sentence("comparing"));
  const command = await missingInstall(facts, found, workspace, signal);
  if (command === undefined) {
    const words = manifest.usesWorkspaces
      ? sentence("dependencies-all", { count })
      : inner.folders.length > 0
        ? sentence("dependencies-in", { count, folders: inner.folders.join(", ") })
        : sentence("dependencies", { count });
    if (!(await settleChanged(look, since))) settle("install", "held", words, { since });
    return true;
  }
  const { name } = facts.manager ?? { name: "npm" };
  settle("install", "going", sentence("is-running", { command: `${name} install` }));
  const install = () => workspace.run(command, { signal, isOwn: true, ...INSTALL_LIMITS });
  let exit = await install();
  signal.throwIfAborted();
  let isAgain = false;
  if (mayBeChance(exit)) {
    settle("install", "going", sentence("once-more", { command: `${name} install` }));
    await clock.sleep(AGAIN_MS, signal);
    exit = await install();
    signal.throwIfAborted();
    isAgain = true;
  }
  const described = describeExit(`${name} install`, exit);
  if (described.ok && (await settleChanged(look, since))) return true;
  if (described.ok) {
    settle(
      "install",
      "held",
      isAgain
        ? sentence("second-try", { command: `${name} install` })
        : sentence("ended-with", { command: `${name} install`, code: "0" }),
      {
        since,
        detail: described.result,
      },
    );
    return true;
  }
  const how =
    exit.kind === "exited"
      ? sentence("ended-with", { command: `${name} install`, code: String(exit.code) })
      : sentence("did-not-end", { command: `${name} install`, how: exit.kind });
  settle("install", "failed", how, { since, detail: described.result });
  return false;
}

/**
 * Detects packages that were modified by something other than an install. Such packages prove nothing about the versions in the
 * lock file, whatever is observed with them.
 * @returns whether there are such packages; the part is then settled
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

/** Whether the same command may succeed the next time without a change to the project. */
export function mayBeChance(exit: Exit): boolean {
  return exit.kind === "exited" && exit.code !== 0 && CHANCE.test(exit.output);
}
