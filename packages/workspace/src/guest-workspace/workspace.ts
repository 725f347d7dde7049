import { sentence } from "@treadle/protocol/sentences";
import { randomBytes } from "node:crypto";
import type { PackageRequest, Refusal } from "@treadle/egress";
import { NO_SETTINGS, reachableOf, serverEnvironment } from "@treadle/egress";
import {
  WorkspaceError,
  type LeftOut,
  type OpenOptions,
  type Terminal,
  type Workspace,
  type WorkspaceNotice,
} from "../types.ts";
import { createCommandWrites } from "./command-writes.ts";
import { awaitCommand, checkCommand, createCommands } from "./commands.ts";
import { onceDone } from "@treadle/protocol/lifecycle";
import { createCheckpoints, revisionOf } from "../checkpoints/checkpoints.ts";
import { writeFileStream, writeWhole } from "./file-streams.ts";
import { createDataFiles } from "./data-files.ts";
import { createGitStore } from "../checkpoints/git-store.ts";
import { hearGuest } from "./hear-guest.ts";
import { holdSandbox } from "./held-sandbox.ts";
import { createInstalledDependencies } from "./installed-dependencies.ts";
import { createInstallAnswers } from "./install-answers.ts";
import { createMadeRepositories } from "./made-repositories.ts";
import { createRootCover } from "./root-cover.ts";
import type { Sandbox, SandboxHost, StartInside } from "./sandbox-host.ts";
import { createSupervisor } from "./supervisor.ts";
import { namedInSources } from "./named-in-sources.ts";
import { createKnownManifest } from "./known-manifest.ts";
import { createPipes } from "./pipes.ts";
import { keptProofs } from "./kept-proofs.ts";
import { createWrittenPaths } from "./written-paths.ts";
import { setsUpServer } from "./warm-server.ts";
import { createTerminals } from "./terminals.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";
import type { Request } from "./guest-link.ts";
import { isNamedPath } from "../wire/named-path.ts";
import { isRepeatable } from "../wire/requests.ts";

/** Maximum number of paths in one request: they have to fit into a frame. */
const PATHS_AT_ONCE = 10_000;

/**
 * A workspace whose work is done by a guest: one sandbox at a time, opened again after it was lost.
 */
export async function openGuestWorkspace<Started extends Sandbox>(
  options: OpenOptions,
  host: SandboxHost<Started>,
): Promise<Workspace> {
  const installs = createInstallAnswers<Started>({
    async install(asker, asked, call) {
      // A downloaded tool is not a package of the project.
      if (asked.tool !== undefined)
        return host.install(asker, asked, { ...call, inside: startInside });
      await installed.installBegins(call.signal);
      call.signal.throwIfAborted();
      const answer = await host.install(asker, asked, { ...call, inside: startInside });
      await installed.installed(answer.act === "done");
      return answer;
    },
    started() {
      data.disturbed();
      supervisor.cool().catch(() => undefined);
    },
  });
  const listeners = new Set<(notice: WorkspaceNotice) => void>();
  const notify = (notice: WorkspaceNotice) => {
    for (const listener of listeners) listener(notice);
  };
  let settings = options.settings ?? NO_SETTINGS;
  const commands = createCommands(() => settings.secrets);
  const terminals = createTerminals();
  const pipes = createPipes();
  const made = createMadeRepositories({
    look: async () => (await held.current()?.request("set-repositories-aside", {}))?.result ?? [],
    isBusy: () => terminals.any(),
    notify,
  });
  /** The reason why the sandbox is about to end. */
  let endedFor: string | undefined;
  /** Number of running one-shot commands. */
  let running = 0;
  let stopped = false;
  /** Whether nothing may be started any more. */
  let ending = false;

  const refuseStopped = () => {
    if (stopped) throw new WorkspaceError("stopped", sentence("workspace-was-stopped"));
  };

  const guest = async (): Promise<Started> => {
    refuseStopped();
    return held.open();
  };

  const tellRefused = (refusal: Refusal) => notify({ type: "egress-refused", ...refusal });

  const mayInstall =
    options.mayInstall &&
    (async (asked: PackageRequest) => {
      const may = await options.mayInstall!(asked);
      if (!may && asked.name !== undefined) {
        commands.packageRefused(asked.name);
        notify({ type: "package-refused", name: asked.name });
      }
      return may;
    });

  /** Tells all programs that read it, once per subject. */
  const announce = (subject: string, words: string) => {
    commands.announce(subject, words);
    pipes.sayToAll(words);
    terminals.announceToAll(subject, words);
  };

  const start = () =>
    host.start({
      reachable: reachableOf(settings),
      mayInstall,
      diskAllowance: options.diskAllowance,
      onNear: ({ limit, words }) => announce(`near ${limit}`, words),
      onMessage: (message, body) => onMessage(message, body),
      onRefused: tellRefused,
      onLimit({ limit, words }) {
        announce(limit, words);
        if (limit === "disk") endedFor = words;
        else notify({ type: "limit", limit, words });
      },
    });

  const held = holdSandbox(start, tellSources, () => {
    supervisor.lost();
    terminals.lost();
    const reason = endedFor ?? "the sandbox ended by itself";
    endedFor = undefined;
    if (!stopped) notify({ type: "lost", reason: reason.trim() });
  });

  /** Tells a guest about sources that it cannot detect by itself. */
  async function tellSources(started: Started): Promise<void> {
    const paths = written.list().filter(isNamedPath);
    const states = data.states();
    for (let from = 0; from === 0 || from < paths.length; from += PATHS_AT_ONCE)
      await started.request("source-facts", {
        written: paths.slice(from, from + PATHS_AT_ONCE),
        states,
      });
  }

  /** Returns the sandbox, if something may be started in it. */
  const lively = async (): Promise<Started> => {
    if (ending) throw new WorkspaceError("stopped", sentence("workspace-stopping"));
    return guest();
  };
  /** Refuses to write files when the disk limit is exceeded; removing files stays possible. */
  const roomy = async (): Promise<Started> => {
    const started = await guest();
    const why = started.full?.();
    if (why !== undefined) throw new WorkspaceError("no-space", why);
    return started;
  };
  const request: Request = async (method, params, body) => {
    const asked = await guest();
    try {
      return await asked.request(method, params, body);
    } catch (error) {
      if (!isDeath(error) || !isRepeatable(method)) throw error;
      // The sandbox died during the request: the next one answers.
      await asked.ended;
      return (await guest()).request(method, params, body);
    }
  };
  const root = createRootCover<Started>({
    openRoot: () => host.openRoot(),
    sandbox: guest,
    cover: host.coverRoot?.bind(host),
    renew: () => held.renew(),
    isBusy: () => commands.any() || terminals.any() || pipes.any(),
  });
  /** Starts a command in the running sandbox, or in a new one. */
  const startInside: StartInside = async (command, how) => {
    await root.starting();
    // Checks that the sandbox is alive before giving it a command, because a command is never run
    // twice.
    await request("alive", {});
    return commands.start(await lively(), command, how);
  };
  const connect = async (port: number) => {
    const asked = await guest();
    return asked.dial(port).catch(async (error: unknown) => {
      // The listening server is gone too; a caller that asks again gets the next sandbox.
      if (isDeath(error)) await asked.ended;
      throw error;
    });
  };

  const supervisor = createSupervisor({
    start: (command, { env, takesDials, countsCode } = {}) =>
      startInside(command, {
        env: { ...serverEnvironment(settings), ...env },
        openInput: true,
        takesDials,
        countsCode,
      }),
    setUp: async () => revisionOf((await manifest()).filter(({ path }) => setsUpServer(path))),
    connect,
    async endLeftBehind(but) {
      await request("end-left-behind", { but });
    },
    onState: (server) => notify({ type: "server", server }),
    onOutput: (text) => notify({ type: "server-output", text }),
  });

  const onMessage = hearGuest({
    commands,
    terminals,
    pipes,
    made,
    root,
    notify,
    opened: held.current,
    runsCommand: () => running > 0,
    install(asked) {
      const asker = held.current();
      if (asker) void installs.answer(asker, asked);
    },
    installGone: (ask) => installs.gone(ask),
  });

  let leftOut: readonly LeftOut[] = [];
  const manifest = createKnownManifest(
    async (known) => (await request("manifest", { known })).result,
    (found) => void (leftOut = found),
  );
  const outputManifest = createKnownManifest(
    async (known) => (await request("output-manifest", { known })).result,
  );
  const proofs = keptProofs(options.stateDirectory);
  const installed = createInstalledDependencies({
    onUnsure: () => proofs.clear(),
    stateDirectory: options.stateDirectory,
    async ask(params) {
      // While the workspace is being stopped, the running sandbox still answers this, although new requests are
      // refused.
      const asked = (stopped && held.current()) || (await guest());
      return (await asked.request("dependency-changes", params)).result;
    },
  });
  const byCommands = createCommandWrites({
    stateDirectory: options.stateDirectory,
    leftBehind: async () => (await request("left-behind", {})).result,
    made: async (params) => (await request("made-changes", params)).result,
  });
  const written = createWrittenPaths(options.stateDirectory);
  const data = createDataFiles({
    manifest,
    isWritten: (folder) => written.hasBelow(folder),
    setStates: async (states) => void (await request("source-facts", { written: [], states })),
    stateDirectory: options.stateDirectory,
    isServing: () => supervisor.state?.state === "up" || supervisor.state?.state === "starting",
    isBusy: () => running > 0 || installs.any() || terminals.any() || pipes.anyWriting(),
    namedIn: (path) =>
      namedInSources(path, async (query) => (await request("search", query)).result),
    onFound: (paths) => notify({ type: "data-files", paths }),
  });
  const checkpoints = createCheckpoints({
    stateDirectory: options.stateDirectory,
    git: createGitStore({
      gitDirectory: host.gitDirectory,
      run: host.git,
      read: async (path, limit) =>
        request("read", { path, limit }).then(
          ({ body }) => body,
          () => undefined,
        ),
    }),
    manifest: data.others,
    data: data.present,
    async write(path, content, how) {
      if (content instanceof Uint8Array) await writeWhole(request, path, content, how);
      else await writeFileStream(request, path, content, how);
      // The file was a source when the checkpoint was saved.
      written.add(path);
    },
    async remove(path, ifVersion) {
      await request("remove", { path, ifVersion });
    },
    async link(path, to) {
      await request("link", { path, to });
    },
    async prune(path) {
      await request("prune", { path });
    },
  });

  // Operations on checkpoints wait for each other, because they change the same list and store.
  let chain: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    refuseStopped();
    const next = chain.then(act, act);
    chain = next.catch(() => undefined);
    return next;
  };

  await guest();
  await installed.opened();
  await byCommands.opened();

  return {
    ...(options.database && { hasPostgres: true as const }),
    files: createWorkspaceFiles({
      request,
      sandbox: async () => (await guest()).request,
      room: async () => (await roomy()).request,
      written: data.written,
      sources: written,
    }),

    async run(text, runOptions = {}) {
      checkCommand(text);
      const started = performance.now();
      const writesEnd = runOptions.isOwn ? undefined : await byCommands.begin();
      // Counted before it starts, because its first writes may be reported together with its start.
      made.started();
      running++;
      const command = await startInside(text, { env: runOptions.env }).catch(
        async (error: unknown) => {
          running--;
          await writesEnd?.().catch(() => undefined);
          await made.ended();
          throw error;
        },
      );
      data.disturbed();
      let words = "";
      const adopt = runOptions.adopt ? () => supervisor.adopt(text, command) : undefined;
      let exit: Awaited<ReturnType<typeof awaitCommand>>;
      try {
        exit = await awaitCommand(command, runOptions, adopt);
      } finally {
        running--;
        await installed.commandEnded().catch(() => undefined);
        await writesEnd?.().catch(() => undefined);
        await root.look();
        words = await made.ended();
      }
      if (exit !== "adopted") {
        if (words !== "") runOptions.onOutput?.(words);
        return { ...exit, output: exit.output + words };
      }
      // Commands get no secrets, but servers do: a command that turned out to be a server is
      // restarted with them.
      if (settings.secrets.length > 0) await supervisor.start(text, runOptions);
      const ms = Math.round(performance.now() - started);
      return { kind: "adopted", server: supervisor.state!, ms, output: command.output() + words };
    },

    async prove(text, runOptions = {}) {
      checkCommand(text);
      refuseStopped();
      return host.prove(text, runOptions, startInside, {
        reachable: reachableOf(settings),
        onRefused: tellRefused,
      });
    },

    ...(host.copy && {
      async copy({ clean = false, empty = false } = {}) {
        await guest();
        const fetchesAnew = clean && (await byCommands.look()).isFetchedChanged;
        const copy = await host.copy!(settings, data.list(), { clean, empty, fetchesAnew });
        // What is refused to the copy is reported for the project.
        copy.listen((notice) => {
          if (notice.type === "egress-refused" || notice.type === "package-refused") notify(notice);
        });
        return copy;
      },
    }),
    ...(host.isAsLocked && {
      isAsLocked: async () =>
        (await host.isAsLocked!(await guest())) &&
        (await installed.changed()).length === 0 &&
        installed.isSure(),
    }),
    proofs,
    dataDigest: async () => (await request("data-digest", { paths: data.list() })).result,

    ranCode: async (names) =>
      supervisor.state?.state === "up" ? (await request("ran-code", { names })).result : undefined,

    endedParts: async () =>
      supervisor.state?.state === "up" ? (await request("ended-parts", {})).result : [],

    async start(text, runOptions) {
      checkCommand(text);
      await guest();
      return supervisor.start(text, runOptions);
    },
    warm(text) {
      checkCommand(text);
      refuseStopped();
      supervisor.warm(text);
    },
    showPort: (port) => supervisor.showPort(port),
    serverLog: () => supervisor.log(),
    isServerSetUp: () => supervisor.isSetUp(),
    stopServer: async () => {
      refuseStopped();
      await supervisor.stop();
    },
    get server() {
      return supervisor.state;
    },

    async terminal({ columns, rows }): Promise<Terminal> {
      await root.starting();
      const writesEnd = await byCommands.begin();
      const id = randomBytes(6).toString("hex");
      const terminal = terminals.open(id, request);
      terminal.onExit(() => void writesEnd().catch(() => undefined));
      data.disturbed();
      await (await lively()).request("terminal-start", { terminal: id, columns, rows });
      return terminal;
    },

    async pipe(command, how = {}) {
      checkCommand(command);
      await root.starting();
      if (how.leavesFiles) return pipes.start(await lively(), command, how);
      const writesEnd = await byCommands.begin();
      const end = () => void writesEnd().catch(() => undefined);
      data.disturbed();
      try {
        const pipe = await pipes.start(await lively(), command, how);
        void pipe.ended.then(end);
        return pipe;
      } catch (error) {
        end();
        throw error;
      }
    },

    connect,
    usage: () => held.current()?.usage?.(),
    revision: async () => revisionOf(await data.others()),
    dataFiles: () => data.list(),
    leftOut: () => leftOut,
    changedDependencies: () => installed.changed(),
    hasRunSince: (at) => byCommands.hasRunSince(at),
    madeByCommands: async () => (await byCommands.look()).made,
    checkpoint: (label) =>
      inTurn(async () => {
        const checkpoint = await checkpoints.keep(label);
        // Only the next operation on checkpoints waits for this one.
        inTurn(checkpoints.tidy).catch(() => undefined);
        return checkpoint;
      }),
    checkpoints: async () => {
      refuseStopped();
      return checkpoints.list();
    },
    restore: (name) =>
      inTurn(() => {
        data.disturbed();
        return checkpoints.restore(name);
      }),
    nameCheckpoint: (checkpoint, name) => inTurn(() => checkpoints.name(checkpoint, name)),
    thin: (thinning) => inTurn(() => checkpoints.thin(thinning)),
    copyCheckpoints: (checkpoint, stateDirectory) =>
      inTurn(() => checkpoints.copyTo(checkpoint, stateDirectory)),
    diff: (a, b, path) => inTurn(() => checkpoints.diff(a, b, path)),
    fileAt: (name, path) => inTurn(() => checkpoints.fileAt(name, path)),
    async fileHashes() {
      const all = [await manifest(), await outputManifest()];
      const files = all.flat().filter(({ mode }) => mode !== "120000");
      return new Map(files.map(({ path, hash }) => [path, hash]));
    },
    fileHistory: (path) => inTurn(() => checkpoints.fileHistory(path)),

    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    configure(next) {
      settings = next;
      supervisor.cool().catch(() => undefined);
      void held.settled().then((started) => started?.allow(reachableOf(next)));
    },

    async endProcesses() {
      refuseStopped();
      ending = true;
      // Also cancels a start in progress. Not awaited, because everything is ended below.
      supervisor.stop().catch(() => undefined);
      const running = await held.settled();
      return running === undefined || (await running.request("end-all", {})).result;
    },

    stop: onceDone(async () => {
      // Set first: a request during the stop would otherwise open a sandbox that nobody ends.
      stopped = true;
      const last = await held.settled();
      // Records which package files were changed: the next opening takes all others as installed.
      if (last && !host.isThrownAway) await installed.changed().catch(() => undefined);
      await held.close();
      await chain;
      const paths = await host.close();
      if (paths.length > 0) notify({ type: "repositories-set-aside", paths });
      listeners.clear();
    }),
  };
}

/** Whether the sandbox died during the request. */
const isDeath = (error: unknown): boolean =>
  error instanceof WorkspaceError && error.code === "sandbox";
