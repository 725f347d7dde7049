import { satisfies, validRange } from "semver";
import type { Exit, Workspace } from "@treadle/workspace";
import { describeExit } from "../tools/describe-exit.ts";
import { INSTALL_LIMITS } from "./install-limits.ts";
import { isRecord, readText, type Manifest, type ProjectFacts } from "./project-facts.ts";
import type { Observation } from "./parts.ts";

/** An install that may have failed by chance is tried once more, so long after it, before it counts. */
const AGAIN_MS = 1_000;
/** What npm calls a failure of the line, of the registry, or of what came over it. */
const CHANCE =
  /\b(?:ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ESOCKETTIMEDOUT|EIDLETIMEOUT|EAI_AGAIN|ENOTFOUND|EPIPE|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EINTEGRITY|TAR_\w+|Z_(?:DATA|BUF)_ERROR|E429|E50[0-4]|socket hang up|network timeout)\b/;

/** Dependencies that are looked at one by one; a project with more is left to npm. */
const CHECKED = 150;

/**
 * Proves that what package.json asks for is there, and installs it where it is not.
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
  const count = Object.keys(facts.manifest.dependencies).length;
  if (count === 0 && !facts.manifest.usesWorkspaces) {
    settle("install", "inapplicable", "the project has no dependencies");
    return true;
  }
  const since = clock.now();
  settle("install", "going", "comparing package.json with what is installed");
  if (await isInstalled(facts.manifest, workspace)) {
    settle(
      "install",
      "held",
      `${count} ${count === 1 ? "dependency is" : "dependencies are"} installed`,
      { since },
    );
    return true;
  }
  settle("install", "going", "npm install is running");
  const install = () =>
    workspace.run("npm install --no-audit --no-fund", { signal, ...INSTALL_LIMITS });
  let exit = await install();
  signal.throwIfAborted();
  let again = "";
  if (mayBeChance(exit)) {
    settle("install", "going", "npm install failed and is tried once more");
    await clock.sleep(AGAIN_MS, signal);
    exit = await install();
    signal.throwIfAborted();
    again = ", at the second try";
  }
  const described = describeExit("npm install", exit);
  if (described.ok) {
    settle("install", "held", `npm install ended with 0${again}`, {
      since,
      detail: described.result,
    });
    return true;
  }
  const how =
    exit.kind === "exited"
      ? `npm install ended with ${exit.code}`
      : `npm install did not end (${exit.kind})`;
  settle("install", "failed", how, { since, detail: described.result });
  return false;
}

/** Whether the same command may well go through the next time: nothing in the project has to be changed for it. */
function mayBeChance(exit: Exit): boolean {
  return exit.kind === "exited" && exit.code !== 0 && CHANCE.test(exit.output);
}

/** Whether every dependency is there in a version that its range takes. What cannot be told counts as not installed. */
async function isInstalled(manifest: Manifest, workspace: Workspace): Promise<boolean> {
  const wanted = Object.entries(manifest.dependencies);
  if (manifest.usesWorkspaces || wanted.length > CHECKED) return false;
  const found = await Promise.all(
    wanted.map(async ([name, range]) => {
      const text = await readText(workspace, `node_modules/${name}/package.json`);
      if (text === undefined) return false;
      // A tag, an address or a folder: that something stands there is all that can be seen from here.
      if (validRange(range) === null) return true;
      const version = versionOf(text);
      return version !== undefined && satisfies(version, range, { includePrerelease: true });
    }),
  );
  return found.every(Boolean);
}

function versionOf(manifest: string): string | undefined {
  try {
    const value: unknown = JSON.parse(manifest);
    return isRecord(value) && typeof value["version"] === "string" ? value["version"] : undefined;
  } catch {
    return undefined;
  }
}
