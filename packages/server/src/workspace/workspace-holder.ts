import { sentence } from "@treadle/protocol/sentences";
import { join } from "node:path";
import { shownPath } from "@treadle/agent";
import { visibleText, withoutControls } from "@treadle/protocol/safe-text";
import {
  createLifecycle,
  EMPTY_HOLDER,
  holderTransition,
  isOpenOrOpening,
  type Caller,
  type HolderEffect,
  type HolderEvent,
} from "@treadle/protocol/lifecycle";
import { sweepCheckpoints, type Workspace, type WorkspaceNotice } from "@treadle/workspace";
import { ApiFailure, keepText } from "@treadle/common";
import { forProject } from "../common/concerned-project.ts";
import { SERVER_TERMINAL, type ServerOutput } from "@treadle/terminals";
import { createPacedChanges } from "./paced-changes.ts";
import { createRefusalLog } from "./refusal-log.ts";
import { keyOfFolder } from "../project-context/key-of-folder.ts";
import { projectFolder, terminalFolder } from "../project-context/project-folder.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { workspaceSettings } from "@treadle/store";

export interface WorkspaceHolder {
  /**
   * Opens the workspace at the first call. Rejects with WorkspaceError; the next call tries again. If the previous
   * workspace could not be stopped, that is tried again first, and its error is the reason of a rejection.
   * @throws ApiFailure 503 `put-away` after `close`
   */
  open(): Promise<Workspace>;
  /** The workspace, if it is open and not being stopped. */
  current(): Workspace | undefined;
  /** Whether the workspace is open, is being opened, or could not be stopped. */
  isOpen(): boolean;
  ports(): number[];
  /**
   * Calls the listener with all listening ports: now, and whenever they change, until the returned
   * function is called.
   */
  onPorts(listener: (ports: number[]) => void): () => void;
  readonly serverOutput: ServerOutput;
  /** Passes changed settings (hosts, secrets) on to the workspace, if it is open. */
  settingsChanged(): Promise<void>;
  /**
   * Stops the workspace, if it is open. The next `open` opens it again.
   * @throws the error of the workspace's `stop`; `open`, `release` and `close` then try again
   */
  release(): Promise<void>;
  /** Stops the workspace in the same way, and prevents further openings. */
  close(): Promise<void>;
}

/** An open workspace with its listeners. */
interface Session {
  readonly workspace: Workspace;
  unlisten(): void;
  /**
   * Resolves once all notices so far are events. They are handled in order of arrival, although some wait for the
   * revision.
   */
  order: Promise<void>;
  /** Whether the project's trust has recorded the files' final state, or was never opened. */
  isNoted: boolean;
}

/**
 * Opens a project's workspace on demand, and turns its notices into log events. The state machine
 * in the protocol's `holder-lifecycle.ts` decides what happens when.
 */
export function holdWorkspace(
  context: Omit<ProjectContext, "workspace">,
  options: {
    isWorking(): boolean;
    /** Whether the starting server was sleeping. */
    isWaking(): boolean;
  },
): WorkspaceHolder {
  /** Ports of the server, the previewed one first, and all listening ports. */
  let ports: { server: number[]; all: number[] } = { server: [], all: [] };
  const folder = projectFolder(context.parts.dataDirectory, context.id);
  const output = keepText(join(terminalFolder(folder), SERVER_TERMINAL));
  const refusals = createRefusalLog({
    now: () => context.parts.clock.now(),
    append: (event) => context.append(event),
  });
  const paced = createPacedChanges({
    now: () => context.parts.clock.now(),
    append: (event) => context.append(event),
  });
  const outputListeners = new Set<() => void>();
  const portListeners = new Set<(ports: number[]) => void>();
  /** Callers that still wait for an answer. */
  const callers = new Map<
    Caller,
    { resolve(workspace: Workspace | undefined): void; reject(error: unknown): void }
  >();
  let lastCaller = 0;
  /** Resolves once the latest opening has succeeded or failed. */
  let opened: Promise<void> = Promise.resolve();

  const lifecycle = createLifecycle(EMPTY_HOLDER, holderTransition<Session>, perform);

  function ask(type: "open" | "release" | "close"): Promise<Workspace | undefined> {
    const caller = ++lastCaller;
    const { promise, resolve, reject } = Promise.withResolvers<Workspace | undefined>();
    callers.set(caller, { resolve, reject });
    lifecycle.send({ type, caller });
    return promise;
  }

  function answer(answered: readonly Caller[], by: "resolve" | "reject", value: unknown): void {
    for (const caller of answered) {
      callers.get(caller)?.[by](value as Workspace);
      callers.delete(caller);
    }
  }

  function perform(effect: HolderEffect<Session>): void {
    switch (effect.type) {
      case "open":
        opened = forProject(context.id, openNow).then((event) => lifecycle.send(event));
        return;
      case "end":
        end(effect.workspace).then(
          () => lifecycle.send({ type: "ended" }),
          (error: unknown) => lifecycle.send({ type: "end-failed", error }),
        );
        return;
      case "give":
        return answer(effect.callers, "resolve", effect.workspace.workspace);
      case "confirm":
        return answer(effect.callers, "resolve", undefined);
      case "refuse":
        return answer(effect.callers, "reject", effect.error ?? putAway());
    }
  }

  /** Opens the workspace. Never rejects: a failure is an event as well. */
  async function openNow(): Promise<HolderEvent<Session>> {
    try {
      return await openAndListen();
    } catch (error) {
      return { type: "open-failed", error };
    }
  }

  async function openAndListen(): Promise<HolderEvent<Session>> {
    const { parts, id } = context;
    const record = await context.record();
    const options = {
      project: id,
      directory: record.directory ?? join(folder, "files"),
      stateDirectory: join(folder, "state"),
      handBack: record.directory !== undefined,
      secretKey:
        record.directory === undefined
          ? undefined
          : keyOfFolder(parts.sharedDirectory ?? parts.dataDirectory, record.directory),
      settings: await workspaceSettings(parts.store, id),
      runsIn: record.runsIn,
    };
    sweepCheckpoints(options.stateDirectory);
    const workspace = await parts.driver.open(options);
    const order = Promise.resolve();
    const session: Session = { workspace, unlisten() {}, order, isNoted: true };
    try {
      await context.trust.opened({ workspace, lastRun: record.lastRun });
      session.isNoted = false;
    } catch (error) {
      return { type: "opened-unfit", workspace: session, error };
    }
    session.unlisten = workspace.listen((notice) => {
      const commands = context.trust.authors.isCommands();
      session.order = session.order
        .then(() => handle(workspace, notice, commands))
        .catch((error: Error) => {
          parts.onNotice(`${record.name}: ${error.message}`);
        });
    });
    return { type: "opened", workspace: session };
  }

  async function handle(
    from: Workspace,
    notice: WorkspaceNotice,
    commands: boolean,
  ): Promise<void> {
    const { authors } = context.trust;
    switch (notice.type) {
      case "files": {
        await authors.settled(notice.changes.map(({ path }) => path));
        const changes = notice.changes.map((change) => authors.attribute(change, commands));
        // During a run the loop asks for the revision itself, so it is not worthwhile to compute it here as well.
        const revision = options.isWorking() ? undefined : await from.revision();
        paced.add(changes, revision);
        return;
      }
      case "server":
        // The ports of a server that is not up count as closed at once, without waiting for a `ports` notice.
        if (notice.server.state !== "up")
          ports.all = ports.all.filter((port) => !ports.server.includes(port));
        ports.server = notice.server.state === "up" ? notice.server.ports : [];
        if (notice.server.state === "starting" && notice.server.tail === undefined)
          print(`\x1b[0m\x1b[2m$ ${visibleText(withoutControls(notice.server.command))}\x1b[0m\n`);
        context.append({
          type: "server",
          server:
            notice.server.state === "starting" && options.isWaking()
              ? { ...notice.server, asleep: true }
              : notice.server,
        });
        return;
      case "ports":
        ports.all = notice.ports;
        tellPorts();
        return;
      case "server-output":
        return print(notice.text);
      case "egress-refused":
        return refusals.refused(notice.host, notice.reason);
      case "data-files":
        context.parts.onNotice(dataWords(notice.paths));
        return;
      case "repositories-set-aside":
        context.parts.onNotice(setAsideWords(notice.paths));
        return;
      case "tab": {
        if (notice.open) return print("\x1b[2mThe tab is open again.\x1b[0m\n");
        const address = context.parts.tabAddress?.(context.id) ?? `/tab/${context.id}`;
        const { text, coded } = sentence("waiting-for-tab", { address });
        print(`\x1b[2m${text}\x1b[0m\n`);
        const { run } = context.view;
        if (run !== undefined)
          context.append({
            type: "waiting",
            run,
            reason: "tab",
            text,
            textCode: coded,
          });
        return;
      }
      case "lost":
        ports = { server: [], all: [] };
        tellPorts();
        context.parts.onNotice(`A project's sandbox went away: ${notice.reason}`);
        return;
    }
  }

  function print(text: string): void {
    output.add(text);
    for (const listener of outputListeners) listener();
  }

  function tellPorts(): void {
    for (const listener of portListeners) listener(ports.all);
  }

  /**
   * Ends the workspace's processes. May be called again after a failure.
   * @throws the error of `stop`. Other failures are only reported: nothing may prevent the
   * processes from being ended.
   */
  async function end(session: Session): Promise<void> {
    const { workspace } = session;
    session.unlisten();
    ports = { server: [], all: [] };
    await reportFailure(async () => {
      tellPorts();
      await session.order;
      paced.end();
      if (session.isNoted) return;
      const record = await context.record().catch(() => undefined);
      await context.trust.released({ workspace, lastRun: record?.lastRun });
      session.isNoted = true;
    });
    // No other listener is left, and the person must learn which repositories were renamed.
    const unlistenLast = workspace.listen((notice) => {
      if (notice.type === "repositories-set-aside")
        context.parts.onNotice(setAsideWords(notice.paths));
    });
    try {
      await workspace.stop();
    } finally {
      unlistenLast();
    }
    await reportFailure(() => output.settled());
  }

  async function reportFailure(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      context.parts.onNotice((error as Error).message);
    }
  }

  function current(): Workspace | undefined {
    const { state } = lifecycle;
    return state.phase === "open" ? state.workspace.workspace : undefined;
  }

  return {
    open: () => ask("open") as Promise<Workspace>,
    current,
    isOpen: () => isOpenOrOpening(lifecycle.state),
    ports: () => [...new Set([...ports.server, ...ports.all])],
    onPorts(listener) {
      portListeners.add(listener);
      listener(ports.all);
      return () => portListeners.delete(listener);
    },
    serverOutput: {
      text: output,
      onMore(listener) {
        outputListeners.add(listener);
        return () => outputListeners.delete(listener);
      },
      clear: () => output.clear(),
    },
    async settingsChanged() {
      refusals.forget();
      await opened;
      if (!current()) return;
      const settings = await workspaceSettings(context.parts.store, context.id);
      current()?.configure(settings);
    },
    async release() {
      await ask("release");
    },
    async close() {
      await ask("close");
    },
  };
}

const putAway = () => new ApiFailure(503, "put-away", sentence("put-to-sleep"));

/** Number of names in a notice; generated code may create any number. */
const NAMED = 5;

function dataWords(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
  return `Only the running app writes ${paths.slice(0, NAMED).map(shownPath).join(", ")}${more}: its data, which takes no part in what is proven and stays when you go back.`;
}

function setAsideWords(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  const named = paths.slice(0, NAMED).map((path) => shownPath(path === "" ? "." : path));
  return `Git repositories that were made in the sandbox are set aside, since git would run what they say: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}. To use one, look through its config and hooks, rename HEAD.set-aside in it to HEAD, and it to .git.`;
}
