import { sentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type Workspace, type WorkspaceNotice } from "../types.ts";
import { createTabAsking, type TabAsking } from "./tab-asking.ts";
import { createTabCommands, isInstall } from "./tab-commands.ts";
import { connectByRequests } from "./tab-connection.ts";
import { createTabFiles, type TabFiles } from "./tab-files.ts";
import type { TabLink } from "./tab-link.ts";
import { runInTab } from "./tab-run.ts";
import { createTabServer } from "./tab-server.ts";
import { createTabTerminals } from "./tab-terminals.ts";

/** Files that a development server reads only at its start. */
const READ_ONCE =
  /(?:^|\/)(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|[^/]+\.config\.\w+|\.env[^/]*)$/;

/**
 * A workspace with the files and checkpoints of `base` whose commands run in the person's browser tab. Without a tab,
 * commands wait and report it. A new tab receives all files and installed packages, and interrupted commands start
 * again: none of their writes had reached the project.
 */
export function createTabWorkspace(base: Workspace, link: TabLink): Workspace {
  const listeners = new Set<(notice: WorkspaceNotice) => void>();
  const notify = (notice: WorkspaceNotice) => {
    for (const listener of listeners) listener(notice);
  };
  const files: TabFiles = createTabFiles(
    base.files,
    (message) => link.send(message),
    (error) => asking.failed(error),
  );
  const asking: TabAsking = createTabAsking(link, base, files, notify);
  const commands = createTabCommands(asking, files);
  const server = createTabServer(asking, commands, notify);
  const terminals = createTabTerminals(asking, link);
  const inTab = { asking, commands, server };

  const stopFollowing = link.follow({
    arrived: () =>
      asking.arrived(async () => {
        await files.all();
        await commands.installAgain();
      }),
    left() {
      asking.left();
      server.tabLeft();
    },
    ports: (ports) => server.portsAre(ports),
    changed: (changes) => void files.takeBack(changes).catch((error) => asking.failed(error)),
  });

  /** Sends changes to the tab, and notes whether files that the server reads once are among them. */
  const changed = (paths: ProjectPath[]) => {
    files.changed(paths);
    if (paths.some((path) => READ_ONCE.test(path))) server.isSetUp = false;
  };
  const stopListening = base.listen((notice) => {
    // Nothing runs in the base, so its notices about servers do not apply.
    if (["server", "ports", "server-output"].includes(notice.type)) return;
    if (notice.type === "files") changed(notice.changes.map(({ path }) => path));
    notify(notice);
  });

  return {
    files: filesBeside(base, asking, changed, () => files.anyChanged()),
    run: (command, options = {}) =>
      runInTab(
        inTab,
        { command, takeBack: true, stage: isInstall(command) ? "install" : "test" },
        options,
      ),
    countsWrites: true,
    hasSockets: false,
    // There is only one container: what a proof writes into it is not copied to the project.
    prove: (command, options = {}) =>
      runInTab(inTab, { command, takeBack: false, stage: "build" }, options),
    start: (command, options) => server.start(command, options),
    warm: () => asking.refuseStopped(),
    showPort: (port) => server.showPort(port),
    serverLog: () => server.log(),
    isServerSetUp: async () => server.isSetUp,
    stopServer: () => server.stop(),
    get server() {
      return server.state;
    },
    async terminal(size) {
      asking.refuseStopped();
      return terminals.open(size);
    },
    async pipe() {
      asking.refuseStopped();
      throw new WorkspaceError("failed", sentence("tab-without-programs"));
    },
    async connect(port) {
      await server.whenServing(port);
      return connectByRequests((request) => asking.ask({ kind: "request", port, ...request }));
    },
    revision: () => base.revision(),
    dataFiles: () => base.dataFiles(),
    leftOut: () => base.leftOut(),
    checkpoint: (label) => base.checkpoint(label),
    checkpoints: () => base.checkpoints(),
    nameCheckpoint: (checkpoint, name) => base.nameCheckpoint(checkpoint, name),
    thin: (options) => base.thin(options),
    copyCheckpoints: (checkpoint, directory) => base.copyCheckpoints(checkpoint, directory),
    restore: (checkpoint) => base.restore(checkpoint).finally(() => files.anyChanged()),
    diff: (a, b, path) => base.diff(a, b, path),
    fileAt: (checkpoint, path) => base.fileAt(checkpoint, path),
    fileHashes: () => base.fileHashes(),
    fileHistory: (path) => base.fileHistory(path),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    configure: (settings) => base.configure(settings),
    async endProcesses() {
      server.end();
      terminals.end();
      return base.endProcesses();
    },
    async stop() {
      if (!asking.stopped.aborted) {
        asking.stop();
        server.end();
        terminals.end();
        stopFollowing();
        stopListening();
      }
      await base.stop();
      listeners.clear();
    },
  };
}

/**
 * The files of the base, whose changes are sent to the tab. Installed packages are read from the
 * tab, because only it has them.
 */
function filesBeside(
  base: Workspace,
  asking: TabAsking,
  changed: (paths: ProjectPath[]) => void,
  anyChanged: () => void,
): Workspace["files"] {
  return {
    ...base.files,
    list: (options) => base.files.list(options),
    search: (query) => base.files.search(query),
    readStream: (path) => base.files.readStream(path),
    async read(path, options) {
      if (!/(?:^|\/)node_modules\//.test(path) || !asking.isOpen)
        return base.files.read(path, options);
      const { base64 } = await asking.ask({ kind: "read", path });
      if (base64 === undefined)
        throw new WorkspaceError(
          "missing",
          sentence("path-missing", { path: JSON.stringify(path) }),
        );
      return { bytes: Buffer.from(base64, "base64"), version: `tab-${base64.length}` };
    },
    write: (path, content, options) =>
      base.files.write(path, content, options).finally(() => changed([path])),
    writeStream: (path, pieces, options) =>
      base.files.writeStream(path, pieces, options).finally(() => changed([path])),
    remove: (path) => base.files.remove(path).finally(anyChanged),
    rename: (from, to) => base.files.rename(from, to).finally(anyChanged),
  };
}
