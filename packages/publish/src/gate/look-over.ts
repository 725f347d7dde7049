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

/** The registry has so long to say what it knows, in milliseconds: publishing waits for it. */
const ASKING_MS = 10_000;
/** Files of a project's environment that are read. */
const MOST_ENV_FILES = 50;

const LIMIT_MS = 30_000;
const options = { lane: "gate" };
const importsOffThread = offThread<typeof importedPackages>(
  import.meta.url,
  "./packages/imported-packages.parser.ts",
  { limitMs: LIMIT_MS },
);
const summaryOffThread = offThread<typeof lockSummary>(import.meta.url, "./packages/lock-summary.parser.ts", { limitMs: LIMIT_MS }); // prettier-ignore
/** What a lock file says; undefined if it cannot be read. */
const summaryOf = (lock: LockFile) => summaryOffThread(options, lock).catch(() => undefined);

/** Asks what is known against packages, names with their versions; undefined where nobody answers that. */
export type AskAdvisories = (
  packages: Readonly<Record<string, readonly string[]>>,
  signal: AbortSignal,
) => Promise<unknown>;

/** Looks over the files of a release while it is made. */
export interface Looking {
  /** Asks the registry, beside what else goes on, once its packages are installed. */
  ask(facts: ProjectFacts, signal: AbortSignal): void;
  /** @param site the folder on the host that is served; absent where there is none */
  done(site?: string): Promise<LookedOver>;
}

/** What was found in the files of a release, and what is needed to ask it once it runs. */
export interface LookedOver {
  gate: Gate;
  sources: readonly GateFile[];
  own: readonly NamedValue[];
}

/**
 * Begins with the sources as they were verified, before anything of theirs has run.
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
      // It is waited for later, and may be told never.
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

/** The lock file of the manager that the project is of, with the licences that it does not say itself. */
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

/** What the `.env` files hold that lie where the person works, in whichever folder: they are in no release. */
export async function envOf(project: Pick<Workspace, "files">): Promise<NamedValue[]> {
  const { files } = await project.files.list();
  const paths = files.map(({ path }) => path).filter((path) => holdsEnvironment(path));
  const texts = await Promise.all(
    paths.slice(0, MOST_ENV_FILES).map((path) => textOf(project, path)),
  );
  return texts.flatMap((text) => (text === undefined ? [] : readEnvFile(text)));
}
