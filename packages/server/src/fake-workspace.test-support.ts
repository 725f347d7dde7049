/** A workspace in memory: files, versions, checkpoints and notices as the real ones give them, and no processes. */
import { isUnder, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { ProjectPath, ServerState } from "@treadle/protocol";
import {
  checkPath,
  WorkspaceError,
  type CheckpointRecord,
  type FileDifference,
  type OpenOptions,
  type Pipe,
  type Terminal,
  type Workspace,
  type WorkspaceDriver,
  type WorkspaceNotice,
  type WorkspaceSettings,
} from "@treadle/workspace";

const hash = (content: string | Uint8Array) => createHash("sha1").update(content).digest("hex");

type Checkpoint = CheckpointRecord & { files: Map<ProjectPath, Uint8Array> };

export class FakeWorkspace implements Workspace {
  readonly contents = new Map<ProjectPath, Uint8Array>();
  readonly listeners = new Set<(event: WorkspaceNotice) => void>();
  /** Of all times that the project was opened. */
  readonly kept: Checkpoint[];
  readonly terminals: FakeTerminal[] = [];
  readonly started: string[] = [];
  readonly options: OpenOptions;
  server: ServerState | undefined;
  stopped = false;

  constructor(
    options: OpenOptions,
    contents: Map<ProjectPath, Uint8Array>,
    kept: Checkpoint[] = [],
  ) {
    this.kept = kept;
    this.options = options;
    this.contents = contents;
  }

  #check(path: string): ProjectPath {
    if (this.stopped) throw new WorkspaceError("stopped", "The workspace was stopped.");
    return checkPath(path);
  }

  /** The file itself, or the files of a folder. */
  #held(path: string): ProjectPath[] {
    const held = [...this.contents.keys()].filter(
      (one) => one === this.#check(path) || one.startsWith(`${path}/`),
    );
    if (held.length === 0) throw new WorkspaceError("missing", `There is no ${path}.`);
    return held;
  }

  /** Later than the call that caused it, as a watcher's. */
  notice(event: WorkspaceNotice): void {
    setImmediate(() => {
      for (const listener of this.listeners) listener(event);
    });
  }

  /** As if any program had written the file. */
  put(named: string, content: string | Uint8Array): string {
    const path = checkPath(named);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.contents.set(path, bytes);
    const version = hash(bytes);
    const changes = [{ path, kind: "written" as const, size: bytes.byteLength, version }];
    this.notice({ type: "files", changes });
    return version;
  }

  readonly files: Workspace["files"] = {
    read: async (path, { limit = 16 * 1024 * 1024 } = {}) => {
      const bytes = this.contents.get(this.#check(path));
      if (!bytes) throw new WorkspaceError("missing", `There is no ${path}.`);
      if (bytes.byteLength > limit) throw new WorkspaceError("too-large", `${path} is too large.`);
      return { bytes, version: hash(bytes) };
    },
    write: async (path, content, { ifVersion } = {}) => {
      const standing = this.contents.get(this.#check(path));
      const version = standing ? hash(standing) : "absent";
      if (ifVersion !== undefined && ifVersion !== version)
        throw new WorkspaceError("conflict", `${path} was changed meanwhile.`, version);
      const written = this.put(path, content);
      return { version: written, size: content.length, created: !standing };
    },
    readStream: async (path) => {
      const { bytes } = await this.files.read(path, { limit: Infinity });
      const pieces = (async function* () {
        for (let at = 0; at < bytes.length; at += 1024 * 1024)
          yield bytes.subarray(at, at + 1024 * 1024);
      })();
      return { size: bytes.byteLength, pieces, close: async () => {} };
    },
    writeStream: async (path, pieces, options) => {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      return this.files.write(path, Buffer.concat(all), options);
    },
    remove: async (path) => {
      for (const one of this.#held(path)) {
        this.contents.delete(one);
        this.notice({ type: "files", changes: [{ path: one, kind: "removed", size: 0 }] });
      }
    },
    rename: async (from, to) => {
      const held = this.#held(from);
      if (this.contents.has(this.#check(to)))
        throw new WorkspaceError("exists", `${to} exists already.`);
      for (const one of held) {
        const bytes = this.contents.get(one) ?? new Uint8Array();
        this.contents.delete(one);
        this.notice({ type: "files", changes: [{ path: one, kind: "removed", size: 0 }] });
        this.put(to + one.slice(from.length), bytes);
      }
    },
    list: async ({ under = PROJECT_FOLDER } = {}) => {
      const files = [...this.contents]
        .filter(([path]) => isUnder(path, under))
        .map(([path, bytes]) => ({ path, kind: "file" as const, size: bytes.byteLength }))
        .toSorted((a, b) => (a.path < b.path ? -1 : 1));
      return { files, more: false };
    },
    search: async () => ({ matches: [], more: false }),
  };

  async run() {
    return { kind: "exited" as const, code: 0, ms: 1, output: "" };
  }
  prove = this.run;
  async start(command: string) {
    this.started.push(command);
    this.server = { state: "up", command, ports: [5173], restarts: 0 };
    this.notice({ type: "server", server: this.server });
    return this.server;
  }
  serverLog = () => "";
  dataFiles = () => [];
  isServerSetUp = async () => true;
  showPort(port: number): void {
    if (!this.server?.ports.includes(port)) return;
    this.server.ports = [port, ...this.server.ports.filter((other) => other !== port)];
  }
  async stopServer() {
    if (!this.server) return;
    this.server = { ...this.server, state: "stopped", ports: [] };
    this.notice({ type: "server", server: this.server });
  }
  async terminal() {
    const terminal = new FakeTerminal(`t${this.terminals.length}`);
    this.terminals.push(terminal);
    return terminal;
  }
  async pipe(): Promise<Pipe> {
    throw new WorkspaceError("failed", "There is nothing to speak to here.");
  }
  async connect(port: number): Promise<Duplex> {
    throw new WorkspaceError("port", `Nothing listens on ${port}.`);
  }
  async revision() {
    const all = [...this.contents].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return hash(JSON.stringify(all.map(([path, bytes]) => [path, hash(bytes)])));
  }
  async checkpoint(label: string) {
    const revision = await this.revision();
    const last = this.kept.at(-1);
    if (last?.revision === revision) return last;
    const checkpoint = `c${this.kept.length + 1}`;
    const record = { checkpoint, revision, label, at: Date.now(), files: new Map(this.contents) };
    this.kept.push(record);
    return record;
  }
  async checkpoints() {
    return this.kept.map(({ checkpoint, revision, label, at }) => ({
      checkpoint,
      revision,
      label,
      at,
    }));
  }
  #kept(name: string) {
    const found = this.kept.find(
      ({ checkpoint, revision }) => name === checkpoint || name === revision,
    );
    if (!found) throw new WorkspaceError("missing", `There is no checkpoint ${name}.`);
    return found;
  }
  async restore(name: string) {
    const record = this.#kept(name);
    this.contents.clear();
    for (const [path, bytes] of record.files) this.contents.set(path, bytes);
    return record;
  }
  async diff(a: string, b?: string): Promise<FileDifference[]> {
    const before = this.#kept(a).files;
    const after = b === undefined ? this.contents : this.#kept(b).files;
    const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
    const text = (bytes?: Uint8Array) => (bytes ? new TextDecoder().decode(bytes) : "");
    return paths
      .filter((path) => text(before.get(path)) !== text(after.get(path)))
      .map((path) => ({
        path,
        kind: !before.has(path) ? "added" : after.has(path) ? "changed" : "removed",
        binary: false,
        diff: `-${text(before.get(path))}\n+${text(after.get(path))}`,
      }));
  }
  listen(listener: (event: WorkspaceNotice) => void) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  warm() {}
  readonly configured: WorkspaceSettings[] = [];
  configure(settings: WorkspaceSettings) {
    this.configured.push(settings);
  }
  async endProcesses() {
    return true;
  }
  async stop() {
    this.stopped = true;
    this.listeners.clear();
  }
}

export class FakeTerminal implements Terminal {
  readonly id: string;
  readonly written: string[] = [];
  readonly sizes: { columns: number; rows: number }[] = [];
  readonly #data = new Set<(data: string) => void>();
  readonly #exit = new Set<(code: number) => void>();
  #kept = "";
  killed = false;
  constructor(id: string) {
    this.id = id;
  }
  print(data: string) {
    this.#kept += data;
    for (const listener of this.#data) listener(data);
  }
  write(data: string) {
    this.written.push(data);
  }
  resize(size: { columns: number; rows: number }) {
    this.sizes.push(size);
  }
  onData(listener: (data: string) => void) {
    if (this.#kept !== "") listener(this.#kept);
    this.#data.add(listener);
    return () => this.#data.delete(listener);
  }
  onExit(listener: (code: number) => void) {
    this.#exit.add(listener);
    return () => this.#exit.delete(listener);
  }
  kill() {
    this.killed = true;
    for (const listener of this.#exit) listener(0);
  }
}

/** Opens fake workspaces; a project's files stay from one opening to the next. */
export class FakeDriver implements WorkspaceDriver {
  readonly name = "fake";
  readonly opened = new Map<string, FakeWorkspace>();
  readonly #files = new Map<string, Map<ProjectPath, Uint8Array>>();
  readonly #kept = new Map<string, Checkpoint[]>();
  failure: Error | undefined;
  /** As many as may be open; `full` is said to the next one. */
  most = Infinity;

  async probe() {
    return { ok: true, checks: [] };
  }
  async open(options: OpenOptions) {
    if (this.failure) throw this.failure;
    if ([...this.opened.values()].filter(({ stopped }) => !stopped).length >= this.most)
      throw new WorkspaceError("full", "As many projects run as may.");
    const files = this.#files.get(options.project) ?? new Map<ProjectPath, Uint8Array>();
    this.#files.set(options.project, files);
    const kept = this.#kept.get(options.project) ?? [];
    this.#kept.set(options.project, kept);
    const workspace = new FakeWorkspace(options, files, kept);
    this.opened.set(options.project, workspace);
    return workspace;
  }
  async prepareTemplates() {}
  async close() {}
}
