import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { refusalWords } from "../egress/connect-proxy.ts";
import { NO_SETTINGS, reachableHosts, serverEnvironment } from "../egress/project-settings.ts";
import type { Resolve } from "../egress/public-address.ts";
import type { RegistryConfig } from "../egress/registry-config.ts";
import type { GuestMessage, ManifestEntry } from "../wire/types.ts";
import {
  WorkspaceError,
  type OpenOptions,
  type Terminal,
  type Workspace,
  type WorkspaceNotice,
} from "../types.ts";
import { awaitCommand, checkCommand, createCommands } from "./commands.ts";
import { createCheckpoints, revisionOf } from "./checkpoints.ts";
import { createDependencies } from "./dependencies.ts";
import { guardRepository } from "./git-guard.ts";
import { createGitStore } from "./git-store.ts";
import type { Installation } from "./installation.ts";
import { proveInCopy } from "./prove-in-copy.ts";
import { prove } from "./prove.ts";
import { readWanted, type PreparedTrees, type Wanted } from "./prepared-trees.ts";
import { removeTree } from "./remove-tree.ts";
import { sandboxUid } from "./sandbox-command.ts";
import { startSandbox, type Sandbox } from "./sandbox.ts";
import { createSupervisor } from "./supervisor.ts";
import { createTerminals } from "./terminals.ts";

const run = promisify(execFile);

export interface LocalWorkspaceParts {
  installation: Installation;
  registry: RegistryConfig;
  /** Tests put a resolver of their own here. */
  resolve?: Resolve;
  trees: PreparedTrees;
  /** Resolves when no tree for this is being prepared any more. */
  whenPrepared(wanted: Wanted): Promise<void>;
  plain: boolean;
  onClosed(): void;
}

/** A workspace on this machine: one sandbox with one guest, opened anew when it was lost. */
export async function openLocalWorkspace(
  options: OpenOptions,
  parts: LocalWorkspaceParts,
): Promise<Workspace> {
  const { directory, stateDirectory } = options;
  const { plain } = parts;
  const uid = plain ? (process.getuid?.() ?? 1000) : sandboxUid(options.project);
  const giveAway = process.getuid?.() === 0 && !plain;
  for (const folder of [directory, stateDirectory])
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  const owner = ownerOf(directory, stateDirectory);
  for (const name of readdirSync(stateDirectory))
    if (name.startsWith("prove-")) await removeTree(join(stateDirectory, name));
  const handBackRepository = options.handBack
    ? guardRepository(directory, stateDirectory)
    : () => {};
  const gitDirectory = join(stateDirectory, "checkpoints.git");
  mkdirSync(gitDirectory, { recursive: true });
  if (giveAway) for (const folder of [directory, gitDirectory]) await own(folder, uid);

  const listeners = new Set<(notice: WorkspaceNotice) => void>();
  const tell = (notice: WorkspaceNotice) => {
    for (const listener of listeners) listener(notice);
  };
  let settings = options.settings ?? NO_SETTINGS;
  const commands = createCommands(() => settings.secrets);
  const terminals = createTerminals();
  const dependencies = createDependencies({
    trees: parts.trees,
    directory,
    stateDirectory,
    uid,
    plain,
  });
  let link: Promise<Sandbox> | undefined;
  let stopped = false;

  const refuseStopped = () => {
    if (stopped) throw new WorkspaceError("stopped", "this workspace was stopped");
  };

  const guest = async (): Promise<Sandbox> => {
    refuseStopped();
    link ??= open().catch((error: unknown) => {
      link = undefined;
      throw error;
    });
    return link;
  };

  async function open(): Promise<Sandbox> {
    const started = await startSandbox({
      project: options.project,
      directory,
      stateDirectory,
      uid,
      installation: parts.installation,
      registry: parts.registry,
      plain,
      onMessage,
      hosts: reachableHosts(settings),
      ...(parts.resolve && { resolve: parts.resolve }),
      onRefused: (refusal) => tell({ type: "egress-refused", ...refusal }),
    });
    void started.ended.then(() => {
      link = undefined;
      supervisor.lost();
      terminals.lost();
      if (!stopped) tell({ type: "lost", reason: "the sandbox ended by itself" });
    });
    await dependencies.restore(started);
    return started;
  }

  const request = async (method: string, params: object = {}, body?: Uint8Array) =>
    (await guest()).request(method, params, body);
  const connect = async (port: number) => (await guest()).dial(port);

  const supervisor = createSupervisor({
    start: async (command) => commands.start(await guest(), command, serverEnvironment(settings)),
    connect,
    onState: (server) => tell({ type: "server", server }),
    onOutput: (text) => tell({ type: "server-output", text }),
  });

  function onMessage(message: GuestMessage, body: Uint8Array): void {
    switch (message.kind) {
      case "output":
        return commands.output(message.process, body);
      case "exit":
        return commands.exit(message.process, message.code, message.signal);
      case "ports":
        commands.ports(message.ports);
        return tell({ type: "ports", ports: message.ports.map(({ port }) => port) });
      case "files":
        return tell({ type: "files", changes: message.changes });
      case "terminal-data":
        return terminals.data(message.terminal, Buffer.from(body).toString());
      case "terminal-exit":
        return terminals.exit(message.terminal, message.code);
      case "install":
        return void answerInstall(message.ask);
      case "refused":
        return sayRefused(message);
    }
  }

  /** The guest says whose program it was; that a host was refused at all is known from the proxy itself. */
  function sayRefused({ host, reason, owner }: Extract<GuestMessage, { kind: "refused" }>): void {
    if (owner === undefined) return;
    const words = refusalWords({ host, reason: reason === "address" ? reason : "not-allowed" });
    commands.refused(owner, host, words);
    terminals.say(owner, host, words);
  }

  /** `npm install` was typed inside. An empty answer leaves it to npm. */
  async function answerInstall(ask: number): Promise<void> {
    const opened = await guest();
    let answer = "";
    try {
      const text = async (path: string) =>
        Buffer.from((await opened.request("read", { path })).body).toString();
      const manifest = await text("package.json");
      const lock = await text("package-lock.json").catch(() => undefined);
      const started = performance.now();
      const wanted = readWanted(manifest);
      if (wanted) await parts.whenPrepared(wanted);
      const tree = await dependencies.satisfy(opened, manifest, lock);
      if (tree) {
        if (lock === undefined)
          await opened.request("write", { path: "package-lock.json" }, Buffer.from(tree.lock));
        const ms = Math.round(performance.now() - started);
        answer = `\nadded ${tree.packages} packages in ${ms}ms (prepared by Treadle, versions as in package-lock.json)\n`;
      }
    } catch (error) {
      tell({ type: "server-output", text: `${(error as Error).message}\n` });
    }
    await opened.request("install-answer", { ask, answer }).catch(() => undefined);
  }

  const manifest = async () => (await request("manifest")).result as ManifestEntry[];
  const checkpoints = createCheckpoints({
    stateDirectory,
    git: createGitStore({ directory, gitDirectory, uid, plain }),
    manifest,
    async write(path, bytes, executable) {
      await request("write", { path, executable }, bytes);
    },
    async remove(path) {
      await request("remove", { path });
    },
    async link(path, to) {
      await request("link", { path, to });
    },
    async prune(path) {
      await request("prune", { path });
    },
  });

  // Two snapshots at once would race for the same index; they are cheap, so they wait for each other.
  let chain: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    refuseStopped();
    const next = chain.then(act, act);
    chain = next.catch(() => undefined);
    return next;
  };

  await guest();

  return {
    files: {
      async read(path, read = {}) {
        const { result, body } = await request("read", { path, limit: read.limit });
        return { bytes: body, version: (result as { version: string }).version };
      },
      async write(path, content, write = {}) {
        const bytes = typeof content === "string" ? Buffer.from(content) : content;
        const { result } = await request("write", { path, ifVersion: write.ifVersion }, bytes);
        return result as { version: string; size: number; created: boolean };
      },
      async remove(path) {
        await request("remove", { path });
      },
      async rename(from, to) {
        await request("rename", { from, to });
      },
      list: async (list = {}) => (await request("list", list)).result as never,
      search: async (query) => (await request("search", query)).result as never,
    },

    async run(text, runOptions = {}) {
      checkCommand(text);
      const started = performance.now();
      const command = await commands.start(await guest(), text, runOptions.env);
      const exit = await awaitCommand(
        command,
        runOptions,
        runOptions.adopt ? () => supervisor.adopt(text, command) : undefined,
      );
      if (exit !== "adopted") return exit;
      // Commands get no secrets, the server does: what turned out to be one is started again as one.
      if (settings.secrets.length > 0) await supervisor.start(text, runOptions);
      const ms = Math.round(performance.now() - started);
      return { kind: "adopted", server: supervisor.state!, ms, output: command.output() };
    },

    async prove(text, runOptions = {}) {
      checkCommand(text);
      refuseStopped();
      if (plain) {
        const opened = await guest();
        const start = (command: string, env: Record<string, string>) =>
          commands.start(opened, command, env);
        return proveInCopy({ stateDirectory, start }, text, runOptions);
      }
      const env = {
        PATH: "/run/treadle/guest/bin:/run/treadle/node/bin:/usr/local/bin:/usr/bin:/bin",
        HOME: "/tmp",
        LANG: "C.UTF-8",
        CI: "1",
        TREADLE_NODE: "/run/treadle/node/bin/node",
        TREADLE_NPM: "/run/treadle/npm",
        TREADLE_GUEST: "/run/treadle/guest",
        NEXT_TELEMETRY_DISABLED: "1",
        ASTRO_TELEMETRY_DISABLED: "1",
      };
      const { installation } = parts;
      return prove(
        { directory, stateDirectory, uid, installation, dependencies, env },
        text,
        runOptions,
      );
    },

    async start(text, runOptions) {
      checkCommand(text);
      await guest();
      return supervisor.start(text, runOptions);
    },
    stopServer: async () => {
      refuseStopped();
      await supervisor.stop();
    },
    get server() {
      return supervisor.state;
    },

    async terminal({ columns, rows }): Promise<Terminal> {
      const id = randomBytes(6).toString("hex");
      const terminal = terminals.open(id, (method, params, body) => {
        void request(method, params, body).catch(() => undefined);
      });
      await request("terminal-start", { terminal: id, columns, rows });
      return terminal;
    },

    connect,
    revision: async () => revisionOf(await manifest()),
    checkpoint: (label) => inTurn(() => checkpoints.keep(label)),
    checkpoints: async () => {
      refuseStopped();
      return checkpoints.list();
    },
    restore: (name) => inTurn(() => checkpoints.restore(name)),
    diff: (a, b) => inTurn(() => checkpoints.diff(a, b)),

    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    configure(next) {
      settings = next;
      link?.then((opened) => opened.allow(reachableHosts(next))).catch(() => undefined);
    },

    async stop() {
      if (stopped) return;
      const opened = await link?.catch(() => undefined);
      stopped = true;
      await opened?.end();
      await chain;
      dependencies.release();
      if (options.handBack) {
        await dependencies.materialise();
        handBackRepository();
        if (giveAway && existsSync(directory))
          await run("chown", ["-R", "-h", "-P", `${owner.uid}:${owner.gid}`, directory]);
      }
      listeners.clear();
      parts.onClosed();
    },
  };
}

/** Whose folder it was before it was first given to a sandbox: a server that is killed cannot give it back. */
function ownerOf(directory: string, stateDirectory: string): { uid: number; gid: number } {
  const file = join(stateDirectory, "owner.json");
  if (!existsSync(file)) {
    const { uid, gid } = lstatSync(directory);
    writeFileSync(file, JSON.stringify({ uid, gid }));
  }
  return JSON.parse(readFileSync(file, "utf8")) as { uid: number; gid: number };
}

/** Gives a folder and all in it to the sandbox's uid, unless it is its already. Follows no link. */
async function own(folder: string, uid: number): Promise<void> {
  if (lstatSync(folder).uid === uid) return;
  await run("chown", ["-R", "-h", "-P", `${uid}:${uid}`, folder]);
}
