import { toProjectPath } from "@treadle/protocol/project-path";
import { execFile } from "node:child_process";
import { lutimesSync, existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { removeTree } from "../remove-tree.ts";
import { measureFolders } from "../limits/measure-disk.ts";
import { COMPILED_CODE } from "../guest/compiled-code.ts";
import { MANAGERS, toolOf, type ManagerName } from "../package-managers/managers.ts";
import type { Workspace } from "../types.ts";
import { chooseTree, type TreeWish } from "./choose-tree.ts";
import { IN_BACKGROUND } from "./give-way.ts";
import {
  meddledWith,
  readContents,
  scriptedPackages,
  type ModulesContents,
} from "./installed-packages.ts";
import { withLock } from "./preparation-lock.ts";
import { inSandboxOfItsOwn, PREPARE_MS, type OpenWorkspace } from "./preparation.ts";
import {
  digestOf,
  type PreparedTree,
  type PreparedTrees,
  type TreeOrigin,
} from "./prepared-trees.ts";
import type { FetchedManagers } from "./fetched-managers.ts";
import { keepWithin } from "./tree-limit.ts";
import { canonical, everyRange } from "./wanted-packages.ts";

const run = promisify(execFile);

/** Milliseconds for Vite to pre-bundle a template's imports. The tree is used even if that fails. */
const OPTIMIZE_MS = 60_000;

export interface TreeOrder extends TreeWish {
  from: TreeOrigin;
  /** Files beside package.json and lock file: only Treadle's own templates have any. */
  files?: readonly { path: string; content: string }[];
}

/**
 * `refused`: the manager's output and exit code. `scattered`: the result is not a single folder.
 * `alone`: a message explaining why the tree is only for the project that requested it.
 */
export type MadeTree =
  | { tree: PreparedTree; alone?: string }
  | { refused: { output: string; code: number } }
  /** A workspace got packages of its own, besides the shared ones. */
  | { scattered: true };

/**
 * The commands with which each manager installs from package.json and lock file, and updates a lock file that does not
 * fit. They run no program of any package, so the resulting lock file comes from the registry alone.
 */
const INSTALL: Record<ManagerName, string> = {
  npm: "npm install --ignore-scripts --no-audit --no-fund",
  pnpm: "pnpm install --ignore-scripts --no-frozen-lockfile --reporter=append-only",
  yarn: "yarn install --ignore-scripts --non-interactive --no-progress",
  bun: "bun install --ignore-scripts --no-progress",
};

/**
 * The commands that run install scripts afterwards: of the installed packages, or of all of them
 * once more.
 */
const RUN_SCRIPTS: Record<ManagerName, string> = {
  npm: "npm rebuild",
  pnpm: "rm -rf node_modules && pnpm install --frozen-lockfile --reporter=append-only",
  yarn: "rm -rf node_modules && yarn install --frozen-lockfile --non-interactive --no-progress",
  bun: "rm -rf node_modules && bun install --frozen-lockfile --no-progress",
};

export interface TreeMakerParts {
  trees: PreparedTrees;
  tools: FetchedManagers;
  open: OpenWorkspace;
  /** Folder for temporary files. */
  folder: string;
  /** Size limit of all trees, in bytes. */
  limit: number;
  /** Whether trees are mounted as overlays, and so may be writable. */
  isOverlaid(): Promise<boolean>;
}

export interface TreeMaker {
  /**
   * Makes the tree, or waits for another process that is making it. Rejects if it could not be tried.
   * @param signal stops waiting; work that others wait for continues
   */
  make(order: TreeOrder, signal?: AbortSignal): Promise<MadeTree>;
  /** Resolves when no tree that could serve this request is being prepared any more. */
  settled(wish: TreeWish): Promise<void>;
}

/**
 * Prepares trees with the real package manager, in a separate sandbox that sees the contents of package.json, the lock
 * file and the registry. The first install runs no install script, which fixes the lock file and the contents. Scripts
 * run afterwards; a tree in which one changed anything outside its own package is not shared. Files that scripts leave
 * are never trusted.
 */
export function createTreeMaker(parts: TreeMakerParts): TreeMaker {
  const { trees } = parts;
  /** Trees being prepared: an identical request waits instead of downloading the same again. */
  const going = new Map<
    string,
    { order: TreeOrder; made: Promise<MadeTree>; abort: AbortController; waiting: number }
  >();

  async function make(order: TreeOrder, signal: AbortSignal): Promise<MadeTree> {
    if (order.manager !== "npm") await parts.tools.fetch(toolOf(order.manager, order.version));
    const open = await parts.isOverlaid();
    let made: MadeTree | undefined;
    const have = (lock = order.lock) => {
      const found = chooseTree(trees.shared(), { ...order, lock });
      if (found?.part !== "whole" || (order.from === "template" && found.tree.from !== "template"))
        return false;
      made = { tree: found.tree };
      return true;
    };
    const lock = join(parts.folder, `${nameOf(order)}.lock`);
    await withLock(
      lock,
      () => have(),
      async () => {
        made = undefined;
        let settled: Settled = { lock: "", scripted: new Set() };
        const failure = await inSandboxOfItsOwn<Exclude<MadeTree, { tree: unknown }> | undefined>(
          parts,
          async (workspace, directory) => {
            const refused = await install(workspace, order, signal);
            if (refused) return { result: { refused } };
            const folders = Object.keys(order.wanted.workspaces ?? {});
            if (folders.some((one) => existsSync(join(directory, one, "node_modules"))))
              return { result: { scattered: true as const } };
            settled = await settle(workspace, order, join(directory, "node_modules"));
            if (settled.scripted.size > 0) {
              // The archives are known now, and an existing tree may have run the scripts of the
              // same ones.
              if (order.lock === undefined && have(settled.lock)) return { result: undefined };
              const failed = await perform(workspace, order, RUN_SCRIPTS[order.manager], signal);
              if (failed) return { result: { refused: failed } };
            }
            if (order.from === "template") await optimize(workspace, order);
            return { folder: "node_modules", result: undefined };
          },
          async (modules) => {
            const { scripted, lock: text } = settled;
            const alone = order.from === "template" ? undefined : await whyAlone(settled, modules);
            // Compiled code is executed without verification, and scripts could write to it.
            if (scripted.size > 0 && order.from !== "template")
              await removeTree(join(modules, ".cache"));
            await finish(modules, open);
            const { manager, wanted: requested, from, version } = order;
            const given = order.lock === undefined ? {} : { given: digestOf(order.lock) };
            const shared = alone === undefined;
            const facts = {
              manager,
              version,
              wanted: requested,
              from,
              ...given,
              scripts: scripted.size > 0,
              shared,
              open,
            };
            made = { tree: await trees.add(facts, modules, text), ...(!shared && { alone }) };
          },
        );
        if (failure) made = failure;
      },
    );
    // Trees in preparation, and those that could not be removed, count towards the cache's size.
    await keepWithin(trees, parts.limit - (await measureFolders([parts.folder])));
    return made!;
  }

  const maker: TreeMaker = {
    async make(order, signal = new AbortController().signal) {
      const name = nameOf(order);
      let entry = going.get(name);
      const first = entry === undefined;
      if (!entry) {
        const abort = new AbortController();
        const made = make(order, abort.signal).finally(() => going.delete(name));
        made.catch(() => undefined);
        entry = { order, made, abort, waiting: 0 };
        going.set(name, entry);
      }
      const { made, abort } = entry;
      entry.waiting++;
      const leave = () => {
        if (--entry.waiting === 0) abort.abort();
      };
      signal.addEventListener("abort", leave, { once: true });
      try {
        const result = await made;
        // A tree that cannot be shared goes to the first of those who waited for it.
        if (first || !("alone" in result)) return result;
      } finally {
        signal.removeEventListener("abort", leave);
      }
      return maker.make(order, signal);
    },

    async settled({ manager, wanted: requested }) {
      const asked = everyRange(requested);
      for (const { order, made } of going.values())
        if (
          (order.manager === manager || order.from === "template") &&
          Object.keys(everyRange(order.wanted)).every((name) => Object.hasOwn(asked, name))
        )
          await made.catch(() => undefined);
    },
  };
  return maker;
}

const nameOf = ({ manager, version, wanted: requested, lock, from }: TreeOrder) =>
  digestOf(canonical([manager, version ?? "", requested, lock ?? "", from === "template"]));

async function install(workspace: Workspace, order: TreeOrder, signal: AbortSignal) {
  const { manager, wanted: requested, version, lock, files = [] } = order;
  for (const { path, content } of files) await workspace.files.write(toProjectPath(path), content);
  if (files.length === 0) {
    const { more, workspaces, ...ranges } = requested;
    const named = version === undefined ? {} : { packageManager: `${manager}@${version}` };
    const inner = workspaces && { workspaces: Object.keys(workspaces) };
    const manifest = { name: "app", private: true, ...named, ...inner, ...ranges, ...more };
    await workspace.files.write(toProjectPath("package.json"), JSON.stringify(manifest));
    for (const [folder, { more: others, ...own }] of Object.entries(workspaces ?? {}))
      await workspace.files.write(
        toProjectPath(`${folder}/package.json`),
        JSON.stringify({ private: true, ...own, ...others }),
      );
  }
  if (lock !== undefined) await workspace.files.write(lockPath(manager), lock);
  // Node's compile cache stays in the tree: npm's code is needed again for the next package, Vite's
  // at each start.
  if (manager === "npm") await workspace.files.write(toProjectPath(`${COMPILED_CODE}/.keep`), "");
  return perform(workspace, order, INSTALL[manager], signal);
}

async function perform(
  workspace: Workspace,
  order: TreeOrder,
  words: string,
  signal: AbortSignal,
): Promise<{ output: string; code: number } | undefined> {
  // A template is prepared in the background and must not slow down the person's work.
  const command = order.from === "template" ? `${IN_BACKGROUND} ${words}` : words;
  const exit = await workspace.run(command, {
    timeoutMs: PREPARE_MS,
    quietMs: PREPARE_MS,
    signal,
    // An install inside this sandbox must not be answered with a prepared tree.
    env: { TREADLE_INSTALL_SOCKET: "" },
  });
  if (exit.kind === "exited" && exit.code === 0) return undefined;
  return { output: exit.output, code: exit.kind === "exited" ? exit.code : 1 };
}

/** The files before any program of a package ran. `contents` only if a program will run. */
interface Settled {
  lock: string;
  scripted: Set<string>;
  contents?: ModulesContents;
}

async function settle(workspace: Workspace, order: TreeOrder, modules: string): Promise<Settled> {
  const lock = await readLockOf(workspace, order.manager);
  const scripted = await scriptedPackages(modules);
  // Templates are chosen by Treadle itself, and Vite changes them as well.
  if (scripted.size === 0 || order.from === "template" || order.manager !== "npm")
    return { lock, scripted };
  const contents = await readContents(modules);
  return { lock, scripted, contents };
}

async function whyAlone({ scripted, contents }: Settled, modules: string) {
  if (scripted.size === 0) return undefined;
  const after = contents && (await readContents(modules));
  if (!after) return "install scripts ran, and what they changed cannot be told";
  const meddled = meddledWith(contents, after, scripted);
  return meddled && `an install script changed ${meddled}, which is not its own`;
}

/**
 * Runs Vite's pre-bundling of the dependencies, whose output belongs to the tree: done once, at the
 * same path as in projects.
 */
async function optimize(workspace: Workspace, { wanted: requested }: TreeOrder): Promise<void> {
  for (const [folder, one] of Object.entries({ ".": requested, ...requested.workspaces }))
    if (one.devDependencies.vite ?? one.dependencies.vite)
      await workspace.run(
        `vite=$PWD/node_modules/.bin/vite; cd ${folder} && ${IN_BACKGROUND} "$vite" optimize`,
        { timeoutMs: OPTIMIZE_MS },
      );
}

const lockPath = (manager: ManagerName) => toProjectPath(MANAGERS[manager].locks[0]);

async function readLockOf(workspace: Workspace, manager: ManagerName): Promise<string> {
  try {
    return Buffer.from((await workspace.files.read(lockPath(manager))).bytes).toString();
  } catch {
    return "";
  }
}

/**
 * Sets the modes of a finished tree, without setuid and setgid. An `open` tree is writable for everyone: each project
 * sees its own overlay, and its changes stay there.
 */
async function finish(modules: string, open: boolean): Promise<void> {
  await run("chmod", ["-R", `${open ? "a+rwX" : "a+rX,go-w"},u-s,g-s`, modules]);
  // npm trusts its own list of installed packages only while nothing is newer; otherwise it reads
  // every package again.
  const list = join(modules, ".package-lock.json");
  if (existsSync(list)) lutimesSync(list, new Date(), new Date());
}
