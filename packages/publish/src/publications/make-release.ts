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

/** What a release is made and run with. */
export interface ReleaseParts {
  store: Store;
  driver: WorkspaceDriver;
  askAdvisories: AskAdvisories;
  /** What a published app may reach and is given. */
  settingsOf(project: string, release?: StoredRelease): Promise<WorkspaceSettings>;
}

/** What an open release is called among the sandboxes: no project's id has a hyphen. */
export const sandboxName = (project: string, { number }: Pick<Release, "number">) =>
  `${project}-release-${number}`;

/** Where a release's built site stands, below its folder. */
export const siteFolder = (folder: string) => join(folder, "site");

/**
 * Opens the sandbox of a release: its files, with the hosts and secrets of what is published.
 * @param place.isPublished its app is to run there: while it is made, it may take what a project may
 * @param place.database takes connections to a PostgreSQL database in the place of the release's own
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

/** Characters that are kept of what a failed command printed. */
const TAIL = 4_000;
const NO_JOBS = sentence("release-jobs-without-server");
/** Where a build's output is put before it is copied: what is called `dist` is none of a project's files. */
const BUILT = toProjectPath("treadle-built-site");

/**
 * Makes a release ready in a sandbox of its own: the files of its checkpoint, installed and built. A site is copied out of
 * it, and the sandbox is gone; an app stays there, to be started.
 * @param folder absolute; new
 * @returns the command that starts it, of an app, and where it has its database, unless where apps usually do; whether its
 * build wrote it; what was found in its files
 * @throws ReleaseFailure; nothing is left in the folder that runs
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
  // At once: nobody uses that sandbox from here on, and where room is wanted it may go to sleep.
  const env = await envOf(source);
  const databaseFile = await migratedFile(source);
  const settings = await parts.settingsOf(project);
  const workspace = await openRelease(parts, project, release, { folder, settings });
  let looked: LookedOver;
  let wishes: TreadleJson;
  let isBuilt: boolean;
  try {
    const restored = await workspace.restore(release.checkpoint);
    // What was seen to work, and nothing else.
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

/** @throws ReleaseFailure where its treadle.json cannot be kept to */
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

/** What starts it, or the folder that holds it as files, where that can be listed. */
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

/** Some builds write into a folder of the project's name (Angular: `dist/shop/browser`), or of the package that has the page. */
const FIND_SITE =
  "find . -name node_modules -prune -o -name index.html '(' -path '*/dist/*' -o -path '*/build/*' ')' -print";

/** The nearest folder of what a build has written that holds a page. */
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
