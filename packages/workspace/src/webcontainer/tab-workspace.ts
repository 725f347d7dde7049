import { setTimeout } from "node:timers/promises";
import type { ProjectPath, ServerState, TabAnswer, TabAsk, TabStage } from "@treadle/protocol";
import { createBoundedText } from "../guest-workspace/bounded-text.ts";
import { checkCommand } from "../guest-workspace/commands.ts";
import { DEFAULT_OUTER_MS, DEFAULT_QUIET_MS, limitByProgress } from "../limits/progress.ts";
import {
  WorkspaceError,
  type Exit,
  type RunOptions,
  type StartOptions,
  type Workspace,
  type WorkspaceNotice,
} from "../types.ts";
import { connectByRequests } from "./tab-connection.ts";
import { createTabFiles } from "./tab-files.ts";
import { TabLeft, type TabLink } from "./tab-link.ts";

const OUTPUT_KEPT = 64 * 1024;
const TAIL = 4_000;
const START_MS = 300_000;
const START_QUIET_MS = 60_000;
const ENDING_MS = 5_000;
const INSTALL =
  /^\s*(?:npm\s+(?:i|install|ci)|pnpm\s+(?:i|install)|yarn(?:\s+install)?|bun\s+(?:i|install))(?:\s+-\S+)*\s*$/;
/** What a command came to before its tab went. */
const AGAIN = "\n[treadle] The tab was closed. The command is run anew in the next one.\n";

/** What a development server reads once, as it starts. */
const READ_ONCE =
  /(?:^|\/)(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|[^/]+\.config\.\w+|\.env[^/]*)$/;

const elsewhere = (what: string) =>
  new WorkspaceError("failed", `${what} where a project runs in a person's tab.`);

interface Running {
  ended: Promise<{ code: number; written: number }>;
  output(): string;
  onOutput: (text: string) => void;
  cancel(): void;
}

/**
 * A workspace whose files and checkpoints are those of `base`, and whose commands run in the person's tab. Without a tab
 * whatever has to run waits for one and says so; a tab that comes gets all files and what had been installed, and
 * then what was interrupted, anew: nothing of it had reached the project.
 */
export function createTabWorkspace(base: Workspace, link: TabLink): Workspace {
  const listeners = new Set<(notice: WorkspaceNotice) => void>();
  const tell = (notice: WorkspaceNotice) => {
    for (const listener of listeners) listener(notice);
  };
  const stopping = new AbortController();
  let failure: unknown;
  const tabFiles = createTabFiles(
    base.files,
    (message) => link.send(message),
    (error) => (failure ??= error),
  );

  // A tab that has come is open once it has the files, and what was installed before.
  /** Counts the containers, and their ends. */
  let container = 0;
  let isOpen = false;
  let waiting: (() => void)[] = [];
  let installed: string | undefined;
  let ports: number[] = [];
  let server: ServerState | undefined;
  let isSetUp = false;
  let serving:
    | { command: string; running: Running; log: ReturnType<typeof createBoundedText> }
    | undefined;
  let portsChanged: (() => void)[] = [];

  const stopFollowing = link.follow({
    arrived() {
      const mine = ++container;
      const prepare = async () => {
        await tabFiles.whole();
        if (installed !== undefined) await askNow(runAsk(installed, "install"));
      };
      // What cannot be prepared is told by the first that asks for something.
      void prepare()
        .catch((error: unknown) => {
          if (!(error instanceof TabLeft)) failure ??= error;
        })
        .then(() => {
          if (container !== mine) return;
          isOpen = true;
          const held = waiting;
          waiting = [];
          if (held.length > 0) tell({ type: "tab", open: true });
          for (const go of held) go();
        });
    },
    left() {
      isOpen = false;
      container++;
      ports = [];
      tell({ type: "ports", ports });
      if (server?.state === "up") setServer({ ...server, state: "starting", ports: [] });
    },
    ports(now) {
      ports = now;
      tell({ type: "ports", ports });
      if (serving && server && now.length > 0 && server.state !== "stopped")
        setServer({
          ...server,
          state: "up",
          ports: [
            ...server.ports.filter((port) => now.includes(port)),
            ...now.filter((port) => !server!.ports.includes(port)),
          ],
          since: server.state === "up" ? server.since : Date.now(),
        });
      for (const changed of portsChanged) changed();
    },
  });
  const stopListening = base.listen((notice) => {
    if (notice.type === "server" || notice.type === "ports" || notice.type === "server-output")
      return;
    if (notice.type === "files") {
      tabFiles.changed(notice.changes.map(({ path }) => path));
      if (notice.changes.some(({ path }) => READ_ONCE.test(path))) isSetUp = false;
    }
    tell(notice);
  });

  function setServer(next: ServerState): void {
    server = next;
    tell({ type: "server", server: next });
  }

  const refuseStopped = () => {
    if (stopping.signal.aborted) throw new WorkspaceError("stopped", "The workspace was stopped.");
  };

  /** Resolves when a tab is open; says once that it is waited for. */
  async function whenOpen(signal?: AbortSignal): Promise<void> {
    refuseStopped();
    signal?.throwIfAborted();
    if (isOpen) return;
    if (waiting.length === 0 && !link.isReady) tell({ type: "tab", open: false });
    const over = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        over.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        waiting = waiting.filter((one) => one !== go);
        reject(over.reason as Error);
      };
      over.addEventListener("abort", onAbort, { once: true });
      waiting.push(go);
    }).catch((error: unknown) => {
      refuseStopped();
      throw error;
    });
  }

  async function askNow<Ask extends TabAsk>(
    ask: Ask,
    onOutput?: (text: string) => void,
    onCancel?: (cancel: () => void) => void,
  ): Promise<Extract<TabAnswer, { kind: Ask["kind"] }>> {
    await tabFiles.settled();
    if (failure !== undefined) {
      const said = failure;
      failure = undefined;
      throw said;
    }
    const asked = link.ask(ask, { revision: await base.revision(), onOutput });
    onCancel?.(asked.cancel);
    return asked.answer;
  }

  /** Asks until a tab has answered: one that goes meanwhile is waited for. */
  async function ask<Ask extends TabAsk>(
    wanted: Ask,
    options: {
      signal?: AbortSignal;
      onOutput?: (text: string) => void;
      onCancel?: (cancel: () => void) => void;
      /** It goes on, or begins anew, from here. */
      onOpen?: () => void;
      onLeft?: () => void;
    } = {},
  ): Promise<Extract<TabAnswer, { kind: Ask["kind"] }>> {
    for (;;) {
      await whenOpen(options.signal);
      options.onOpen?.();
      try {
        return await askNow(wanted, options.onOutput, options.onCancel);
      } catch (error) {
        if (!(error instanceof TabLeft)) throw error;
        options.onLeft?.();
      }
    }
  }

  const runAsk = (
    command: string,
    stage: TabStage,
    { env = {}, takeBack = true }: { env?: Record<string, string>; takeBack?: boolean } = {},
  ) => ({ kind: "run" as const, command, env, takeBack, stage });

  /** A command in the tab, from its start to its end, whichever tab that is in. */
  function launch(
    asked: ReturnType<typeof runAsk>,
    { signal, onOpen, onLeft }: { signal: AbortSignal; onOpen?: () => void; onLeft?: () => void },
  ): Running {
    const kept = createBoundedText(OUTPUT_KEPT);
    let cancel = () => {};
    const running: Running = {
      ended: ask(asked, {
        signal,
        onOutput(text) {
          kept.add(text);
          running.onOutput(text);
        },
        onCancel: (next) => (cancel = next),
        onOpen,
        onLeft() {
          kept.add(AGAIN);
          running.onOutput(AGAIN);
          onLeft?.();
        },
      }).then(async (answer) => {
        if (asked.takeBack) await tabFiles.takeBack(answer);
        if (answer.code === 0 && INSTALL.test(asked.command)) installed = asked.command;
        return { code: answer.code, written: answer.written };
      }),
      output: () => kept.toString(),
      onOutput: () => {},
      cancel: () => cancel(),
    };
    running.ended.catch(() => undefined);
    return running;
  }

  async function runCommand(
    command: string,
    options: RunOptions,
    { takeBack, stage }: { takeBack: boolean; stage: TabStage },
  ): Promise<Exit> {
    checkCommand(command);
    refuseStopped();
    const started = performance.now();
    const ms = () => Math.round(performance.now() - started);
    const ending = new AbortController();
    type Early = "timeout" | "quiet" | "aborted" | "adopted";
    let finish!: (why: Early) => void;
    const early = new Promise<Early>((resolve) => (finish = resolve));
    let limit: ReturnType<typeof limitByProgress> | undefined;
    const running = launch(runAsk(command, stage, { env: options.env, takeBack }), {
      signal: ending.signal,
      // What waits for a tab takes no time of its own.
      onOpen() {
        limit = limitByProgress({
          outerMs: options.timeoutMs ?? DEFAULT_OUTER_MS,
          quietMs: options.quietMs ?? DEFAULT_QUIET_MS,
          activity: async () => undefined,
          onOver: finish,
        });
      },
      onLeft: () => limit?.end(),
    });
    running.onOutput = (text) => {
      limit?.printed();
      options.onOutput?.(text);
    };
    const before = new Set(ports);
    const opened = () => {
      if (ports.some((port) => !before.has(port))) finish("adopted");
    };
    if (options.adopt) portsChanged.push(opened);
    const onAbort = () => finish("aborted");
    if (options.signal?.aborted) onAbort();
    options.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const outcome = await Promise.race([running.ended, early]);
      if (outcome === "adopted") {
        await stopServer();
        serve(command, running);
        setServer({
          state: "up",
          command,
          ports: ports.filter((port) => !before.has(port)),
          since: Date.now(),
          restarts: 0,
        });
        return { kind: "adopted", server: server!, ms: ms(), output: running.output() };
      }
      const output = running.output();
      if (typeof outcome === "object")
        return { kind: "exited", code: outcome.code, written: outcome.written, ms: ms(), output };
      running.cancel();
      ending.abort();
      return { kind: outcome, ms: ms(), output };
    } finally {
      limit?.end();
      portsChanged = portsChanged.filter((one) => one !== opened);
      options.signal?.removeEventListener("abort", onAbort);
    }
  }

  function serve(command: string, running: Running): void {
    const log = createBoundedText(OUTPUT_KEPT);
    log.add(running.output());
    const mine = { command, running, log };
    serving = mine;
    running.onOutput = (text) => {
      log.add(text);
      tell({ type: "server-output", text });
    };
    running.ended.then(
      ({ code }) => {
        if (serving !== mine) return;
        serving = undefined;
        setServer({
          state: "crashed",
          command,
          ports: [],
          exitCode: code,
          tail: log.toString().slice(-TAIL),
          restarts: 0,
        });
        for (const changed of portsChanged) changed();
      },
      () => undefined,
    );
  }

  async function stopServer(): Promise<void> {
    refuseStopped();
    const before = serving;
    serving = undefined;
    if (before) {
      before.running.cancel();
      // A tab that hangs does not hold up what comes after.
      if (isOpen)
        await Promise.race([
          before.running.ended.catch(() => undefined),
          setTimeout(ENDING_MS, undefined, { ref: false }),
        ]);
    }
    if (server && server.state !== "stopped") setServer({ ...server, state: "stopped", ports: [] });
  }

  async function start(command: string, options: StartOptions = {}): Promise<ServerState> {
    checkCommand(command);
    await stopServer();
    const ending = new AbortController();
    const over = AbortSignal.any([ending.signal, stopping.signal]);
    let finish!: () => void;
    const settled = new Promise<void>((resolve) => (finish = resolve));
    let limit: ReturnType<typeof limitByProgress> | undefined;
    const running = launch(runAsk(command, "dev", { env: options.env, takeBack: false }), {
      signal: over,
      onOpen() {
        limit = limitByProgress({
          outerMs: options.timeoutMs ?? START_MS,
          quietMs: options.quietMs ?? START_QUIET_MS,
          activity: async () => undefined,
          onOver: finish,
        });
      },
      onLeft: () => limit?.end(),
    });
    serve(command, running);
    const print = running.onOutput;
    running.onOutput = (text) => {
      limit?.printed();
      print(text);
      options.onOutput?.(text);
    };
    isSetUp = true;
    setServer({ state: "starting", command, ports: [], restarts: 0 });
    const look = () => {
      if (server?.state === "up" || server?.state === "crashed") finish();
    };
    portsChanged.push(look);
    options.signal?.addEventListener("abort", finish, { once: true });
    try {
      await settled;
    } finally {
      limit?.end();
      running.onOutput = print;
      portsChanged = portsChanged.filter((one) => one !== look);
      options.signal?.removeEventListener("abort", finish);
    }
    return server ?? { state: "stopped", command, ports: [], restarts: 0 };
  }

  /** A server that begins anew in the next tab is waited for. */
  async function whenServing(port: number): Promise<void> {
    refuseStopped();
    if (serving) await whenOpen();
    if (ports.includes(port)) return;
    if (serving && server?.state === "starting")
      await new Promise<void>((resolve) => {
        const look = () => {
          if (server?.state === "starting" && !stopping.signal.aborted) return;
          portsChanged = portsChanged.filter((one) => one !== look);
          resolve();
        };
        portsChanged.push(look);
      });
    if (!ports.includes(port))
      throw new WorkspaceError("port", `Nothing listens on ${port} in the tab.`);
  }

  const write = <T>(path: ProjectPath, act: Promise<T>): Promise<T> =>
    act.finally(() => {
      tabFiles.changed([path]);
      if (READ_ONCE.test(path)) isSetUp = false;
    });

  return {
    files: {
      ...base.files,
      list: (options) => base.files.list(options),
      search: (query) => base.files.search(query),
      readStream: (path) => base.files.readStream(path),
      // What is installed is in the tab alone.
      async read(path, options) {
        if (!/(?:^|\/)node_modules\//.test(path) || !isOpen) return base.files.read(path, options);
        const { base64 } = await ask({ kind: "read", path });
        if (base64 === undefined)
          throw new WorkspaceError("missing", `“${path}” does not exist in the tab.`);
        return { bytes: Buffer.from(base64, "base64"), version: `tab-${base64.length}` };
      },
      write: (path, content, options) => write(path, base.files.write(path, content, options)),
      writeStream: (path, pieces, options) =>
        write(path, base.files.writeStream(path, pieces, options)),
      remove: (path) => base.files.remove(path).finally(() => tabFiles.anyChanged()),
      rename: (from, to) => base.files.rename(from, to).finally(() => tabFiles.anyChanged()),
    },
    run: (command, options = {}) =>
      runCommand(command, options, {
        takeBack: true,
        stage: INSTALL.test(command) ? "install" : "test",
      }),
    countsWrites: true,
    // There is one container: what a proof writes into it is not taken into the project.
    prove: (command, options = {}) =>
      runCommand(command, options, { takeBack: false, stage: "build" }),
    start,
    warm: () => refuseStopped(),
    showPort(port) {
      if (server?.state !== "up" || !server.ports.includes(port) || server.ports[0] === port)
        return;
      setServer({ ...server, ports: [port, ...server.ports.filter((other) => other !== port)] });
    },
    serverLog: () => serving?.log.toString() ?? "",
    isServerSetUp: async () => isSetUp,
    stopServer,
    get server() {
      return server;
    },
    async terminal() {
      refuseStopped();
      throw elsewhere("There is no terminal");
    },
    async pipe() {
      refuseStopped();
      throw elsewhere("No program can be spoken to");
    },
    async connect(port) {
      await whenServing(port);
      return connectByRequests((request) => ask({ kind: "request", port, ...request }));
    },
    revision: () => base.revision(),
    dataFiles: () => base.dataFiles(),
    checkpoint: (label) => base.checkpoint(label),
    checkpoints: () => base.checkpoints(),
    nameCheckpoint: (checkpoint, name) => base.nameCheckpoint(checkpoint, name),
    thin: (options) => base.thin(options),
    copyCheckpoints: (checkpoint, directory) => base.copyCheckpoints(checkpoint, directory),
    restore: (checkpoint) => base.restore(checkpoint).finally(() => tabFiles.anyChanged()),
    diff: (a, b, path) => base.diff(a, b, path),
    fileAt: (checkpoint, path) => base.fileAt(checkpoint, path),
    fileHistory: (path) => base.fileHistory(path),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    configure: (settings) => base.configure(settings),
    async endProcesses() {
      serving?.running.cancel();
      serving = undefined;
      return base.endProcesses();
    },
    async stop() {
      if (!stopping.signal.aborted) {
        serving?.running.cancel();
        serving = undefined;
        stopping.abort();
        for (const changed of portsChanged) changed();
        stopFollowing();
        stopListening();
      }
      await base.stop();
      listeners.clear();
    },
  };
}
