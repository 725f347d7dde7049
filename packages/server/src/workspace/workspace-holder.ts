import { join } from "node:path";
import { shownPath } from "@treadle/agent";
import { visibleText, withoutControls } from "@treadle/protocol/safe-text";
import { sweepCheckpoints, type Workspace, type WorkspaceNotice } from "@treadle/workspace";
import { ApiFailure } from "../common/api-failure.ts";
import { forProject } from "../common/concerned-project.ts";
import { keepText } from "../terminals/kept-text.ts";
import { SERVER_TERMINAL } from "../terminals/project-terminals.ts";
import type { ServerOutput } from "../terminals/server-output.ts";
import { createPacedChanges } from "./paced-changes.ts";
import { createRefusalLog } from "./refusal-log.ts";
import { projectFolder, terminalFolder } from "../project-context/project-folder.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { workspaceSettings } from "./workspace-settings.ts";

export interface WorkspaceHolder {
  /** Opens it at the first call. Rejects with WorkspaceError; the next call tries again. */
  open(): Promise<Workspace>;
  /** The workspace, where it is open already. */
  current(): Workspace | undefined;
  /** Whether it is open, or being opened. */
  isOpen(): boolean;
  ports(): number[];
  /** What anything listens on: now, and whenever that changes, until the returned function is called. */
  onPorts(listener: (ports: number[]) => void): () => void;
  readonly serverOutput: ServerOutput;
  /** What may be reached and what the server is given was changed: tells the workspace, where it is open. */
  settingsChanged(): Promise<void>;
  /** Ends it, if it is open. The next `open` opens it anew. */
  release(): Promise<void>;
  /** The same, and no `open` opens it any more. */
  close(): Promise<void>;
}

/** Opens a project's workspace when it is first needed, and turns what it tells into events of the log. */
export function holdWorkspace(
  context: Omit<ProjectContext, "workspace">,
  options: {
    isWorking(): boolean;
    /** Whether the server that starts is one that was put to sleep. */
    isWaking(): boolean;
  },
): WorkspaceHolder {
  let opening: Promise<Workspace> | undefined;
  let workspace: Workspace | undefined;
  let closed = false;
  /** One that is being ended has to be gone before the next is opened. */
  let releasing: Promise<void> = Promise.resolve();
  let unlisten = () => {};
  /** The server's, the one that is previewed first; all that anything listens on. */
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
  /** Notices become events in the order in which they came, although some have to ask for the revision first. */
  let order = Promise.resolve();

  const open = () => forProject(context.id, openNow);

  async function openNow(): Promise<Workspace> {
    const { parts, id } = context;
    const record = await context.record();
    const wanted = {
      project: id,
      directory: record.directory ?? join(folder, "files"),
      stateDirectory: join(folder, "state"),
      handBack: record.directory !== undefined,
      settings: await workspaceSettings(parts.store, id),
      runsIn: record.runsIn,
    };
    sweepCheckpoints(wanted.stateDirectory);
    const opened = await parts.driver.open(wanted);
    try {
      await context.trust.opened({ workspace: opened, lastRun: record.lastRun });
    } catch (error) {
      await opened.stop();
      throw error;
    }
    unlisten = opened.listen((notice) => {
      const commands = context.trust.authors.isCommands();
      order = order
        .then(() => tell(opened, notice, commands))
        .catch((error: Error) => {
          parts.onNotice(`${record.name}: ${error.message}`);
        });
    });
    workspace = opened;
    return opened;
  }

  async function tell(from: Workspace, notice: WorkspaceNotice, commands: boolean): Promise<void> {
    const { authors } = context.trust;
    switch (notice.type) {
      case "files": {
        await authors.settled(notice.changes.map(({ path }) => path));
        const changes = notice.changes.map((change) => authors.attribute(change, commands));
        // While a run goes on, the loop asks for the revision itself, and more often than it is worth here.
        const revision = options.isWorking() ? undefined : await from.revision();
        paced.add(changes, revision);
        return;
      }
      case "server":
        // What has just ended listens no more, although that is not told yet.
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
        const text = tabWords(context.parts.tabAddress?.(context.id) ?? `/tab/${context.id}`);
        print(`\x1b[2m${text}\x1b[0m\n`);
        const { run } = context.view;
        if (run !== undefined) context.append({ type: "waiting", run, reason: "tab", text });
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

  async function release(waiting: Promise<Workspace> | undefined): Promise<void> {
    const opened = await waiting?.catch(() => undefined);
    if (!opened) return;
    unlisten();
    workspace = undefined;
    ports = { server: [], all: [] };
    tellPorts();
    await order;
    paced.end();
    const record = await context.record().catch(() => undefined);
    await context.trust.released({ workspace: opened, lastRun: record?.lastRun });
    // Nobody else listens any more, and what is set aside now the person has to be told.
    opened.listen((notice) => {
      if (notice.type === "repositories-set-aside")
        context.parts.onNotice(setAsideWords(notice.paths));
    });
    await opened.stop();
    await output.settled();
  }

  function end(): Promise<void> {
    // One that is still being ended is waited for by whoever asks again, and by whoever opens it next.
    releasing = Promise.all([releasing, release(opening)]).then(() => undefined);
    opening = undefined;
    return releasing;
  }

  return {
    open() {
      if (opening) return opening;
      if (closed) return Promise.reject(putAway());
      const mine = releasing.then(open).catch((error: unknown) => {
        if (opening === mine) opening = undefined;
        throw error;
      });
      opening = mine;
      return mine;
    },
    current: () => workspace,
    isOpen: () => opening !== undefined,
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
      const opened = await opening?.catch(() => undefined);
      opened?.configure(await workspaceSettings(context.parts.store, context.id));
    },
    release: end,
    close() {
      closed = true;
      return end();
    },
  };
}

const putAway = () =>
  new ApiFailure(
    503,
    "put-away",
    "The project was put to sleep meanwhile. Nothing was done; try again.",
  );

const tabWords = (address: string) =>
  `Waiting for your tab, in which this project runs: open ${address}`;

/** Names that a notice gives; there may be as many as generated code likes. */
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
