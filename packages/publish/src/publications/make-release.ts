import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { tailOf } from "@treadle/protocol/safe-text";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { planRelease, type ReleasePlan } from "../release/plan-release.ts";
import { INSTALL_LIMITS, migratedFile, readFacts } from "@treadle/agent";
import type { ProjectPath, Release } from "@treadle/protocol";
import { PROJECT_FOLDER, toProjectPath } from "@treadle/protocol/project-path";
import type { Store } from "@treadle/store";
import {
  removeTree,
  type OpenOptions,
  type RunOptions,
  type Workspace,
  type WorkspaceDriver,
  type WorkspaceSettings,
} from "@treadle/workspace";
import { envOf, lookOver, type AskAdvisories, type LookedOver } from "../gate/look-over.ts";
import { workspaceSettings } from "@treadle/store";
import { keepFilesBefore } from "./app-data.ts";
import { copySite } from "./copy-site.ts";
import type { StoredRelease } from "./stored-publication.ts";
import { migrateRelease } from "./migrate-release.ts";
import { ReleaseFailure } from "./release-failure.ts";
import { readTreadleJson, type TreadleJson } from "./treadle-json.ts";

/** The services that making and running a release needs. */
export interface ReleaseParts {
  store: Store;
  driver: WorkspaceDriver;
  askAdvisories: AskAdvisories;
  /** The hosts that a published app may reach, and its secrets. */
  settingsOf(project: string, release?: StoredRelease): Promise<WorkspaceSettings>;
}

/** The sandbox name of an open release; a project's id contains no hyphen. */
export const sandboxName = (project: string, { number }: Pick<Release, "number">) =>
  `${project}-release-${number}`;

/** The folder of a release's built site. */
export const siteFolder = (folder: string) => join(folder, "site");

/**
 * Opens the sandbox of a release: its files, with the hosts and secrets of the publication.
 * @param place.isPublished whether its app will run there; while it is made, it may use a project's
 * resources
 * @param place.database accepts connections to another PostgreSQL database instead of the release's
 * own
 */
export async function openRelease(
  { driver }: Pick<ReleaseParts, "driver">,
  project: string,
  release: Pick<Release, "number">,
  {
    folder,
    settings,
    isPublished = false,
    limits,
    database,
  }: Pick<OpenOptions, "isPublished" | "limits" | "database"> & {
    folder: string;
    settings: WorkspaceSettings;
  },
): Promise<Workspace> {
  return driver.open({
    project: sandboxName(project, release),
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
    settings,
    isPublished,
    limits,
    ...(database && { database }),
  });
}

/** Number of characters kept of a failed command's output. */
const TAIL = 4_000;
const NO_JOBS = sentence("release-jobs-without-server");
/**
 * Where a build's output is put before it is copied, since a folder named `dist` is not among a
 * project's files.
 */
const BUILT = toProjectPath("treadle-built-site");

/**
 * Prepares a release in a separate sandbox: the files of its checkpoint, installed and built. A
 * site is copied out of it and the sandbox removed; an app stays there, ready to start.
 * @param folder absolute path, new
 * @returns for an app its start command and the path of its database, unless it is the usual one;
 * whether a build wrote it; the findings in its files
 * @throws ReleaseFailure; the folder then contains nothing that runs
 */
export async function makeRelease(
  parts: ReleaseParts,
  {
    project,
    release,
    source,
    folder,
  }: {
    project: string;
    release: Release;
    source: Workspace;
    folder: string;
  },
  { onProgress, signal }: { onProgress(progress: Sentence): void; signal: AbortSignal },
): Promise<{
  command?: string;
  databaseFile?: string | undefined;
  isBuilt: boolean;
  wishes: TreadleJson;
  looked: LookedOver;
}> {
  await source.copyCheckpoints(release.checkpoint, join(folder, "state"));
  // These are read first: nothing uses the source sandbox from here on, and it may be put to sleep for room.
  const env = await envOf(source);
  const databaseFile = await migratedFile(source);
  const settings = await parts.settingsOf(project);
  const workspace = await openRelease(parts, project, release, { folder, settings });
  let looked: LookedOver;
  let wishes: TreadleJson;
  let isBuilt: boolean;
  try {
    const restored = await workspace.restore(release.checkpoint);
    // The release must have exactly the verified files.
    if (restored.revision !== release.revision)
      throw new ReleaseFailure(sentence("release-other-files"));
    const preview = await workspaceSettings(parts.store, project);
    const own = [...settings.secrets, ...preview.secrets, ...env];
    const looking = await lookOver(workspace, own, parts.askAdvisories);
    const facts = await readFacts(workspace);
    const plan = planRelease(facts);
    if ("problem" in plan) throw new ReleaseFailure(plan.problem);
    wishes = await wishesOf(workspace);
    if (wishes.jobs.length > 0 && plan.start === undefined && plan.servers.length === 0)
      throw new ReleaseFailure(NO_JOBS);
    const run = async (progress: Sentence, command: string, limits?: RunOptions) => {
      onProgress(progress);
      const exit = await workspace.run(command, { signal, ...limits });
      signal.throwIfAborted();
      if (exit.kind === "exited" && exit.code === 0) return;
      const reason =
        exit.kind === "exited"
          ? sentence("release-command-failed", { command, code: exit.code })
          : sentence("release-command-endless", { command });
      throw new ReleaseFailure(reason, tailOf(exit.output, TAIL));
    };
    if (plan.install !== undefined) {
      await run(sentence("release-installing"), plan.install, INSTALL_LIMITS);
      looking.ask(facts, signal);
    }
    isBuilt = plan.build !== undefined;
    if (plan.build !== undefined) await run(sentence("release-building"), plan.build);
    const served = await servedBy(plan, workspace, signal);
    if (wishes.jobs.length > 0 && served.start === undefined) throw new ReleaseFailure(NO_JOBS);
    if (served.start !== undefined) {
      const onRun = () => onProgress(sentence("release-migrating"));
      await migrateRelease(workspace, { signal, file: databaseFile, onRun });
      await keepFilesBefore(workspace, folder);
      onProgress(sentence("release-scanning"));
      return { command: served.start, databaseFile, isBuilt, wishes, looked: await looking.done() };
    }
    onProgress(sentence("release-copying"));
    await copySite(workspace, served.site, siteFolder(folder));
    onProgress(sentence("release-scanning"));
    looked = await looking.done(siteFolder(folder));
  } finally {
    await workspace.stop();
  }
  await removeTree(join(folder, "files"));
  await rm(join(folder, "state"), { recursive: true, force: true });
  return { isBuilt, wishes, looked };
}

/** Reads the release's treadle.json. @throws ReleaseFailure if it is invalid */
async function wishesOf(workspace: Workspace): Promise<TreadleJson> {
  const file = await workspace.files.read(toProjectPath("treadle.json")).catch(() => undefined);
  try {
    return readTreadleJson(file && Buffer.from(file.bytes).toString("utf8"));
  } catch (error) {
    throw new ReleaseFailure(
      sentence("release-settings-unusable", { why: (error as Error).message }),
    );
  }
}

/** The start command, or the folder with the files to serve, if it can be listed. */
async function servedBy(
  plan: ReleasePlan,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<{ start: string } | { start?: undefined; site: ProjectPath }> {
  const isThere = (path: string) =>
    workspace.files.read(toProjectPath(path)).then(
      () => true,
      () => false,
    );
  const movedOut = (path: ProjectPath) => workspace.files.rename(path, BUILT).then(() => BUILT);
  for (const { file, command } of plan.servers) if (await isThere(file)) return { start: command };
  for (const folder of plan.site) {
    const path = folder === "." ? PROJECT_FOLDER : toProjectPath(folder);
    if (!(await isThere(path === PROJECT_FOLDER ? "index.html" : `${path}/index.html`))) continue;
    if (path === PROJECT_FOLDER || path === "public") return { site: path };
    return { site: await movedOut(path) };
  }
  if (plan.start !== undefined) return { start: plan.start };
  const within = await siteWithin(workspace, signal);
  if (within) return { site: await movedOut(within) };
  throw new ReleaseFailure(
    plan.missing ?? sentence("build-wrote-nothing", { folders: plan.site.slice(0, 3) }),
  );
}

/**
 * Some builds write into a folder named after the project (Angular: `dist/shop/browser`), or after
 * the package with the page.
 */
const FIND_SITE =
  "find . -name node_modules -prune -o -name index.html '(' -path '*/dist/*' -o -path '*/build/*' ')' -print";

/** The outermost folder of the build output that contains a page. */
async function siteWithin(workspace: Workspace, signal: AbortSignal) {
  const { output } = await workspace.run(FIND_SITE, { signal });
  signal.throwIfAborted();
  const depth = (path: string) => path.split("/").length;
  const [index] = output
    .split("\n")
    .filter((line) => /^\.\/.+\/index\.html$/.test(line))
    .toSorted((a, b) => depth(a) - depth(b));
  return index && toProjectPath(index.slice(".".length, -"/index.html".length));
}
