import { PROJECT_FOLDER, toProjectPath } from "@treadle/protocol/project-path";
import { chooseTree, type TreeWish } from "../dependencies/choose-tree.ts";
import { lockFor, readLock, sameEntries } from "../dependencies/lock-file.ts";
import type { PreparedTree, PreparedTrees } from "../dependencies/prepared-trees.ts";
import type { FetchedManagers } from "../dependencies/fetched-managers.ts";
import type { TreeMaker, TreeOrder } from "../dependencies/tree-maker.ts";
import { countOf, readWanted, workspaceFolders } from "../dependencies/wanted-packages.ts";
import { readManagerCommand, type ManagerCommand } from "../package-managers/manager-command.ts";
import { managerOf, MANAGERS, toolOf, type ManagerName } from "../package-managers/managers.ts";
import type { InstallCall } from "../guest-workspace/sandbox-host.ts";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { Dependencies } from "./project-dependencies.ts";
import type { LocalSandbox } from "./sandbox.ts";

export interface InstallParts {
  dependencies: Dependencies;
  trees: PreparedTrees;
  tools: FetchedManagers;
  /** Undefined if the driver cannot create a separate sandbox. */
  maker?: TreeMaker;
  /** Makes a tree once no project is working. Does not fail. */
  makeLater?: ((order: TreeOrder) => void) | undefined;
}

/** The parts of the project's files that determine an install. */
interface Project {
  wish: TreeWish;
  manifest: string;
  /** The package.json of each workspace, by its folder. */
  workspaces: ReadonlyMap<string, string>;
}

const DONE: InstallAnswer = { act: "done", code: 0 };

/**
 * Answers a package manager that was called in the sandbox. Mounts a prepared tree with the packages of package.json,
 * complete or partial, preparing it first if necessary; the rest is left to the package manager. Returns what was done.
 */
export async function answerInstall(
  sandbox: LocalSandbox,
  asked: InstallAsk,
  call: InstallCall,
  parts: InstallParts,
): Promise<InstallAnswer> {
  const { args } = asked;
  if (asked.tool !== undefined) {
    const tool = toolOf(asked.manager, asked.tool);
    call.write(`Treadle fetches ${tool.package} ${tool.version} from the package registry…\n`);
    await parts.tools.fetch(tool);
    return DONE;
  }
  const itself: InstallAnswer = { act: "run", manager: asked.manager, args };
  if (asked.folder !== "") return itself;
  const read = await readProject(sandbox, asked.manager);
  if (!read) return itself;
  const { manager } = read;
  const command = readManagerCommand(asked.manager, args);
  const own = ownWords(asked.manager, manager, command, args);
  if (manager !== asked.manager) {
    if (!own) return itself;
    call.write(
      `This is a project of ${manager}, so ${manager} is what runs: ${manager} ${own.join(" ")}\n`,
    );
  }
  const left: InstallAnswer = { act: "run", manager, args: own ?? args };
  if ("left" in read) {
    call.write(`Left to ${manager}: ${read.left}.\n`);
    return left;
  }
  if (command.kind === "install") return install(sandbox, read, left, command.frozen, call, parts);
  // Packages are added to those of package.json, which are mounted first so that they need not be fetched.
  await makeRoom(sandbox, manager, parts);
  if (command.kind === "add" && (await parts.dependencies.present(sandbox)).length === 0)
    await putInPlace(sandbox, read, call, parts, false);
  return left;
}

async function install(
  sandbox: LocalSandbox,
  project: Project,
  left: InstallAnswer,
  frozen: boolean,
  call: InstallCall,
  parts: InstallParts,
): Promise<InstallAnswer> {
  const { dependencies } = parts;
  const { wish } = project;
  // A frozen install without a lock file is an error, reported by the package manager itself.
  if (countOf(wish.wanted) === 0 || (frozen && wish.lock === undefined)) return left;
  const there = await dependencies.present(sandbox);
  const mounted = dependencies.tree;
  if (mounted) {
    const found = chooseTree([mounted], wish);
    const fits = found?.part === "whole" && (!frozen || isExact(mounted, wish));
    // If a package is missing or extra, the package manager has to run.
    if (fits && !frozen && there.length > 0 && (await dependencies.isWhole(sandbox))) {
      call.write(`\nup to date, ${packages(mounted)} (prepared by Treadle)\n`);
      return DONE;
    }
    // `rm -rf node_modules` can only empty a mount; it means that the person wants a fresh install.
    if (there.length === 0 || frozen || mounted.manager !== wish.manager)
      await dependencies.clear(sandbox);
    else return left;
  } else if (there.length > 0) return left;
  const put = await putInPlace(sandbox, project, call, parts, frozen);
  if (put === "whole") return DONE;
  if (put === "base" && left.act === "run")
    return { ...left, args: [...left.args, "--prefer-offline"] };
  if (put !== undefined && put !== "base") {
    call.write(put.output);
    return { act: "done", code: put.code };
  }
  return left;
}

/**
 * Whether the mounted tree is the one that an install of the project's lock file would mount, with
 * no package missing or extra.
 */
export async function isAsLocked(
  sandbox: LocalSandbox,
  dependencies: Dependencies,
): Promise<boolean> {
  const { tree } = dependencies;
  const read = tree && (await readProject(sandbox, tree.manager));
  if (!read || !("wish" in read) || read.manager !== tree.manager) return false;
  const isThere = chooseTree([tree], read.wish)?.part === "whole" && isExact(tree, read.wish);
  return isThere && (await dependencies.isWhole(sandbox));
}

/** Mounts the matching tree, preparing it if necessary. Undefined if there is nothing to mount. */
async function putInPlace(
  sandbox: LocalSandbox,
  project: Project,
  { write: print, signal }: InstallCall,
  { dependencies, trees, maker, makeLater }: InstallParts,
  frozen: boolean,
): Promise<"whole" | "base" | { output: string; code: number } | undefined> {
  const { wish } = project;
  if (countOf(wish.wanted) === 0) return undefined;
  const started = performance.now();
  await maker?.settled(wish);
  let found = chooseTree(trees.shared(), wish);
  let made = false;
  const from = wish.lock === undefined ? "manifest" : "lock";
  if (!found && maker) {
    const result = await maker.make({ ...wish, from }, signal);
    if ("refused" in result)
      // An install script may find in the project's own sandbox what it missed here; any other
      // error would only repeat.
      return wish.manager === "npm" && !/command failed/i.test(result.refused.output)
        ? result.refused
        : undefined;
    if ("scattered" in result) return undefined;
    if (result.alone !== undefined) print(`For this project alone: ${result.alone}.\n`);
    made = true;
    found = { tree: result.tree, part: "whole" };
  }
  if (!found || (frozen && (found.part === "base" || !isExact(found.tree, wish)))) return undefined;
  const { tree, part } = found;
  await dependencies.place(sandbox, tree);
  const ms = Math.round(performance.now() - started);
  if (part === "base") {
    if (wish.lock === undefined) await write(sandbox, MANAGERS.npm.locks[0], tree.lock);
    print(`${packages(tree)} in place after ${ms}ms (prepared by Treadle); npm brings the rest\n`);
    // What npm adds stays in this project.
    makeLater?.({ ...wish, from });
    return "base";
  }
  print(
    `\nadded ${packages(tree)} in ${ms}ms (${await settleLock(sandbox, project, tree, made)})\n`,
  );
  return "whole";
}

/** Writes the lock file as the package manager would have, and returns a text about how the tree was made. */
async function settleLock(
  sandbox: LocalSandbox,
  { wish, manifest, workspaces }: Project,
  tree: PreparedTree,
  made: boolean,
): Promise<string> {
  const how = made ? `by ${tree.manager} in a sandbox of its own` : "prepared by Treadle";
  const [name] = MANAGERS[wish.manager].locks;
  if (tree.manager !== wish.manager)
    return `${how} as ${tree.manager} lays them out; ${wish.manager} was not run and wrote no ${name}`;
  if (tree.lock === "" || isExact(tree, wish)) return how;
  const text = tree.manager === "npm" ? lockFor(tree.lock, manifest, workspaces) : tree.lock;
  await write(sandbox, name, text);
  return `${how}, versions as in ${name}`;
}

/** Whether the tree matches the project's lock file exactly. */
function isExact(tree: PreparedTree, { lock }: TreeWish): boolean {
  if (lock === undefined) return false;
  if (tree.manager !== "npm") return tree.lock === lock;
  const [own, requested] = [readLock(tree.lock), readLock(lock)];
  return own !== undefined && requested !== undefined && sameEntries(own, requested);
}

/** Removes a mounted tree if it was emptied, or belongs to another manager, whose layout this one cannot use. */
async function makeRoom(
  sandbox: LocalSandbox,
  manager: ManagerName,
  { dependencies }: InstallParts,
): Promise<void> {
  const { tree } = dependencies;
  if (!tree) return;
  const isEmpty = (await dependencies.present(sandbox)).length === 0;
  if (tree.manager !== manager || isEmpty) await dependencies.clear(sandbox);
}

async function readProject(
  sandbox: LocalSandbox,
  typed: ManagerName,
): Promise<
  (Project & { manager: ManagerName }) | { manager: ManagerName; left: string } | undefined
> {
  const text = async (name: string) =>
    Buffer.from((await sandbox.request("read", { path: toProjectPath(name) })).body).toString();
  const manifest = await text("package.json").catch(() => undefined);
  if (manifest === undefined) return undefined;
  const files = (await sandbox.request("list-raw", { path: PROJECT_FOLDER })).result;
  const named = managerOf(packageManagerOf(manifest), files);
  // A manager other than npm was typed on purpose; `npm` may just be habit.
  const manager = typed === "npm" ? (named?.manager ?? typed) : typed;
  const version = named?.manager === manager ? named.version : undefined;
  const workspaces = new Map<string, string>();
  // Other managers lay out workspaces differently.
  for (const folder of manager === "npm" ? workspaceFolders(manifest) : []) {
    const inner = await text(`${folder}/package.json`).catch(() => undefined);
    if (inner !== undefined) workspaces.set(folder, inner);
  }
  const reading = readWanted(manifest, workspaces);
  if ("left" in reading) return { manager, left: reading.left };
  const { locks, settings } = MANAGERS[manager];
  const setting = settings.find((name) => files.includes(name));
  if (setting) return { manager, left: `the project has a ${setting}` };
  const [first, ...others] = locks;
  const other = others.find((name) => files.includes(name));
  if (other) return { manager, left: `the project has a ${other}` };
  if (manager === "yarn" && Number(toolOf(manager, version).version.split(".")[0]) > 1)
    return { manager, left: "from version 2 on, Yarn has ways of its own" };
  const lock = files.includes(first) ? await text(first) : undefined;
  const wish = { manager, wanted: reading.wanted, lock };
  return {
    manager,
    wish: { ...wish, version },
    manifest,
    workspaces,
  };
}

function packageManagerOf(manifest: string): unknown {
  try {
    return (JSON.parse(manifest) as { packageManager?: unknown } | null)?.packageManager;
  } catch {
    return undefined;
  }
}

/**
 * The arguments for the project's own manager if `npm` was typed; undefined if there is no
 * equivalent.
 */
function ownWords(
  typed: ManagerName,
  manager: ManagerName,
  command: ManagerCommand,
  args: string[],
): string[] | undefined {
  if (typed === manager) return args;
  if (command.kind === "install")
    return command.frozen ? ["install", "--frozen-lockfile"] : ["install"];
  if (command.kind === "add") return ["add", ...(command.dev ? ["-D"] : []), ...command.names];
  if (command.kind === "remove") return ["remove", ...command.names];
  return undefined;
}

const write = (sandbox: LocalSandbox, name: string, text: string) =>
  sandbox.request("write", { path: toProjectPath(name) }, Buffer.from(text));

const packages = (tree: PreparedTree) =>
  `${tree.packages} ${tree.packages === 1 ? "package" : "packages"}`;
