import { sentence } from "@treadle/protocol/sentences";
import { tailOf } from "@treadle/protocol/safe-text";
import { setTimeout } from "node:timers/promises";
import type { ServerState } from "@treadle/protocol";
import { createBoundedText } from "../guest-workspace/bounded-text.ts";
import { checkCommand } from "../guest-workspace/commands.ts";
import { WorkspaceError, type StartOptions, type WorkspaceNotice } from "../types.ts";
import type { TabAsking } from "./tab-asking.ts";
import { OUTPUT_KEPT, type TabCommands, type TabProcess } from "./tab-commands.ts";

const TAIL = 4_000;
const START_MS = 300_000;
const START_QUIET_MS = 60_000;
const ENDING_MS = 5_000;

/** The project's server in the tab, and its open ports. */
export interface TabServer {
  readonly state: ServerState | undefined;
  readonly ports: readonly number[];
  log(): string;
  /** Whether files that the server reads once are unchanged since its start. */
  isSetUp: boolean;
  start(command: string, options?: StartOptions): Promise<ServerState>;
  stop(): Promise<void>;
  /**
   * Makes a running command the server. `before`: ports that were open without it. Resolves with undefined, leaving the
   * command to the caller, if another server or none was requested meanwhile.
   */
  adopt(
    command: string,
    running: TabProcess,
    before: ReadonlySet<number>,
  ): Promise<ServerState | undefined>;
  showPort(port: number): void;
  /**
   * Resolves when the port is open; waits for a server that is restarted in the next tab. Rejects with `port` if the
   * port is not open by then.
   */
  whenServing(port: number): Promise<void>;
  /** Calls the listener whenever ports or state change, until the returned function is called. */
  onChange(listener: () => void): () => void;
  portsAre(ports: number[]): void;
  tabLeft(): void;
  /** Ends the server silently, because the workspace is stopped. */
  end(): void;
}

export function createTabServer(
  asking: TabAsking,
  commands: TabCommands,
  notify: (notice: WorkspaceNotice) => void,
): TabServer {
  let ports: number[] = [];
  let state: ServerState | undefined;
  let isSetUp = false;
  let serving:
    | { command: string; running: TabProcess; log: ReturnType<typeof createBoundedText> }
    | undefined;
  const listeners = new Set<() => void>();

  const changed = () => {
    for (const listener of listeners) listener();
  };
  function onChange(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  function set(next: ServerState): ServerState {
    state = next;
    notify({ type: "server", server: next });
    changed();
    return next;
  }
  /** Resolves once the condition holds; at the latest when the workspace is stopped. */
  function when(isSo: () => boolean): { reached: Promise<void>; end(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (isSo() || asking.stopped.aborted) resolve();
    };
    const end = onChange(look);
    look();
    return { reached: promise, end };
  }

  function serve(command: string, running: TabProcess): void {
    const log = createBoundedText(OUTPUT_KEPT);
    log.add(running.output());
    const own = { command, running, log };
    serving = own;
    running.onOutput = (text) => {
      log.add(text);
      notify({ type: "server-output", text });
    };
    running.ended.then(
      ({ code }) => {
        if (serving !== own) return;
        serving = undefined;
        const tail = tailOf(log.toString(), TAIL);
        set({ state: "crashed", command, ports: [], exitCode: code, tail, restarts: 0 });
      },
      () => undefined,
    );
  }

  async function endServing(): Promise<void> {
    const before = serving;
    serving = undefined;
    if (before) {
      before.running.cancel();
      // A tab that hangs must not block a stop, or the start of another server.
      if (asking.isOpen)
        await Promise.race([
          before.running.ended.catch(() => undefined),
          setTimeout(ENDING_MS, undefined, { ref: false }),
        ]);
    }
    if (asking.stopped.aborted) return;
    if (state && state.state !== "stopped") set({ ...state, state: "stopped", ports: [] });
  }

  /** Counts requests for a server, or for none. */
  let requests = 0;
  let ending: Promise<void> = Promise.resolve();

  /**
   * Stops the current server; calls are queued. Resolves with whether the caller may start another one: the latest
   * request wins. The caller must do so before its next await.
   */
  async function makeRoom(): Promise<boolean> {
    asking.refuseStopped();
    const request = ++requests;
    ending = ending.then(endServing, endServing);
    await ending;
    asking.refuseStopped();
    return request === requests;
  }

  async function stop(): Promise<void> {
    await makeRoom();
  }

  async function start(command: string, options: StartOptions = {}): Promise<ServerState> {
    checkCommand(command);
    if (!(await makeRoom())) return state ?? { state: "stopped", command, ports: [], restarts: 0 };
    const late = Promise.withResolvers<void>();
    const running = commands.launch(
      { command, env: options.env, takeBack: false, stage: "dev" },
      asking.stopped,
      {
        outerMs: options.timeoutMs ?? START_MS,
        quietMs: options.quietMs ?? START_QUIET_MS,
        onOver: () => late.resolve(),
      },
    );
    serve(command, running);
    const print = running.onOutput;
    running.onOutput = (text) => {
      print(text);
      options.onOutput?.(text);
    };
    isSetUp = true;
    set({ state: "starting", command, ports: [], restarts: 0 });
    const isMine = () => serving?.running === running;
    // If it was replaced or stopped, nobody waits for it any more.
    const settled = when(() => state?.state !== "starting" || !isMine());
    const aborted = () => late.resolve();
    if (options.signal?.aborted) aborted();
    options.signal?.addEventListener("abort", aborted, { once: true });
    try {
      await Promise.race([settled.reached, late.promise]);
    } finally {
      settled.end();
      running.unlimit();
      running.onOutput = print;
      options.signal?.removeEventListener("abort", aborted);
    }
    asking.refuseStopped();
    if (options.signal?.aborted && isMine()) await stop();
    return state ?? { state: "stopped", command, ports: [], restarts: 0 };
  }

  return {
    get state() {
      return state;
    },
    get ports() {
      return ports;
    },
    get isSetUp() {
      return isSetUp;
    },
    set isSetUp(is) {
      isSetUp = is;
    },
    log: () => serving?.log.toString() ?? "",
    start,
    stop,
    async adopt(command, running, before) {
      if (!(await makeRoom())) return undefined;
      serve(command, running);
      const own = ports.filter((port) => !before.has(port));
      return set({ state: "up", command, ports: own, since: Date.now(), restarts: 0 });
    },
    showPort(port) {
      if (state?.state !== "up" || !state.ports.includes(port) || state.ports[0] === port) return;
      set({ ...state, ports: [port, ...state.ports.filter((other) => other !== port)] });
    },
    async whenServing(port) {
      asking.refuseStopped();
      if (serving) await asking.whenOpen();
      if (ports.includes(port)) return;
      if (serving) {
        const settled = when(() => state?.state !== "starting");
        await settled.reached;
        settled.end();
      }
      if (!ports.includes(port))
        throw new WorkspaceError("port", sentence("port-silent-in-tab", { port }));
    },
    onChange,
    portsAre(now) {
      ports = now;
      notify({ type: "ports", ports });
      if (serving && state && now.length > 0 && state.state !== "stopped") {
        const remaining = state.ports.filter((port) => now.includes(port));
        const others = now.filter((port) => !remaining.includes(port));
        const since = state.state === "up" ? state.since : Date.now();
        set({ ...state, state: "up", ports: [...remaining, ...others], since });
      } else changed();
    },
    tabLeft() {
      ports = [];
      notify({ type: "ports", ports });
      if (state?.state === "up") set({ ...state, state: "starting", ports: [] });
    },
    end() {
      serving?.running.cancel();
      serving = undefined;
      changed();
    },
  };
}
