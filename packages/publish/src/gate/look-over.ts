import type { ProjectFacts } from "@treadle/agent";
import { offThread } from "@treadle/parsing";
import type { Gate } from "@treadle/protocol";
import { holdsEnvironment, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { checkFiles } from "./files/check-files.ts";
import type { parse as importedPackages } from "./packages/imported-packages.parser.ts";
import { installedLicences } from "./packages/installed-licences.ts";
import { LOCK_FILES, type LockFile } from "./packages/lock-files.ts";
import type { parse as lockSummary } from "./packages/lock-summary.parser.ts";
import { readEnvFile } from "./files/read-env-file.ts";
import { builtFiles, sourceFiles } from "./files/gather-files.ts";
import { textIn } from "./files/text-in.ts";
import type { GateFile, NamedValue } from "./types.ts";

/** Time limit for the registry's answer, in milliseconds; publishing waits for it. */
const ASKING_MS = 10_000;
/** Maximum number of environment files read. */
const MOST_ENV_FILES = 50;

const LIMIT_MS = 30_000;
const options = { lane: "gate" };
const importsOffThread = offThread<typeof importedPackages>(
  import.meta.url,
  "./packages/imported-packages.parser.ts",
  { limitMs: LIMIT_MS },
);
const summaryOffThread = offThread<typeof lockSummary>(import.meta.url, "./packages/lock-summary.parser.ts", { limitMs: LIMIT_MS }); // prettier-ignore
/** The summary of a lock file; undefined if it cannot be read. */
const summaryOf = (lock: LockFile) => summaryOffThread(options, lock).catch(() => undefined);

/** Queries the registry's advisories for packages and their versions; undefined if it does not answer. */
export type AskAdvisories = (
  packages: Readonly<Record<string, readonly string[]>>,
  signal: AbortSignal,
) => Promise<unknown>;

/** Checks the files of a release while it is built. */
export interface Looking {
  /** Starts the query to the registry, in parallel, once the packages are installed. */
  ask(facts: ProjectFacts, signal: AbortSignal): void;
  /**
   * Checks the sources together with the build's output.
   * @param site the served folder on the host, if there is one
   */
  done(site?: string): Promise<LookedOver>;
}

/** The findings in a release's files, and what is needed to check it at run time. */
export interface LookedOver {
  gate: Gate;
  sources: readonly GateFile[];
  own: readonly NamedValue[];
}

/**
 * Starts to check a release: reads its verified sources before any of their code runs.
 * @param own the project's settings and `.env`
 */
export async function lookOver(
  release: Workspace,
  own: readonly NamedValue[],
  askAdvisories: AskAdvisories,
): Promise<Looking> {
  const sources = await sourceFiles(release);
  const imported = await importsOffThread(options, sources.files).catch(() => new Set<string>());
  let hasPackages = false;
  let lockFile: LockFile | undefined;
  let asked: Promise<unknown> = Promise.resolve(undefined);
  return {
    ask(facts, signal) {
      hasPackages = true;
      asked = (async () => {
        const read = await lockFileOf(release, facts, signal);
        lockFile = read && { ...read, imported };
        const packages = (lockFile && (await summaryOf(lockFile)))?.packages ?? {};
        if (Object.keys(packages).length === 0) return undefined;
        return askAdvisories(packages, AbortSignal.any([signal, AbortSignal.timeout(ASKING_MS)]));
      })();
      // The promise is awaited later, and possibly never: without this a rejection would be unhandled.
      asked.catch(() => undefined);
    },
    async done(site) {
      const advisories = await asked.catch(() => undefined);
      const output = site === undefined ? { files: [], left: false } : await builtFiles(site);
      const gate = await checkFiles({
        sources: sources.files,
        output: output.files,
        own,
        lockFile,
        hasPackages,
        advisories,
      });
      if (sources.left || output.left)
        gate.unchecked.push("It is very large: not all of its files were searched for secrets.");
      return { gate, sources: sources.files, own };
    },
  };
}

/** The lock file of the project's package manager, completed with missing licences. */
async function lockFileOf(
  release: Workspace,
  { folder, manager }: ProjectFacts,
  signal: AbortSignal,
): Promise<LockFile | undefined> {
  const at = folder === undefined ? "" : `${folder}/`;
  const file = LOCK_FILES[manager?.name ?? "npm"];
  const text = await textOf(release, `${at}${file}`);
  if (text === undefined) return undefined;
  const manifest = (await textOf(release, `${at}package.json`)) ?? "{}";
  const lock = { file, text, manifest };
  const { hasLicences = true } = (await summaryOf(lock)) ?? {};
  if (hasLicences) return lock;
  return { ...lock, licences: await installedLicences(release, folder, signal) };
}

async function textOf({ files }: Pick<Workspace, "files">, path: string) {
  const read = await files.read(toProjectPath(path)).catch(() => undefined);
  return read && textIn(read.bytes);
}

/**
 * The values in `.env` files of the project's working folder, in any subfolder; releases contain
 * none.
 */
export async function envOf(project: Pick<Workspace, "files">): Promise<NamedValue[]> {
  const { files } = await project.files.list();
  const paths = files.map(({ path }) => path).filter((path) => holdsEnvironment(path));
  const texts = await Promise.all(
    paths.slice(0, MOST_ENV_FILES).map((path) => textOf(project, path)),
  );
  return texts.flatMap((text) => (text === undefined ? [] : readEnvFile(text)));
}
