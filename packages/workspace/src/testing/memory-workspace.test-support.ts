/**
 * An in-memory workspace: implements files, revisions and checkpoints of the port, but no
 * processes.
 */
import { asSentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { ProjectPath, ServerState } from "@treadle/protocol";
import { formatUnifiedDiff } from "@treadle/dialects/diff";
import { isDataFile, isOutputFolder, isSecretFile, leadsThroughForeign } from "../ignored.ts";
// oxlint-disable-next-line no-restricted-imports -- itself, so that what is built knows the error
import { WorkspaceError } from "@treadle/workspace";
import type {
  CheckpointRecord,
  Exit,
  FileDifference,
  FileMoment,
  KeptFile,
  LeftOut,
  OpenOptions,
  Pipe,
  RunOptions,
  Terminal,
  ThinOptions,
  Thinned,
  Workspace,
  WorkspaceDriver,
  WorkspaceFiles,
  WorkspaceNotice,
  WorkspaceSettings,
} from "../types.ts";
import { thinningRounds } from "../checkpoints/thinning.ts";
import { isOwn, memoryFiles, versionOf, type Contents } from "./memory-files.test-support.ts";

export type KeptFiles = CheckpointRecord & { files: Contents };

const isInOutput = (path: ProjectPath) => {
  const [first = ""] = path.split("/", 1);
  return isOutputFolder(first) && !leadsThroughForeign(path);
};

/** Tests that need processes extend this class. */
export class MemoryWorkspace implements Workspace {
  readonly files: WorkspaceFiles;
  readonly contents: Contents;
  readonly listeners = new Set<(event: WorkspaceNotice) => void>();
  /** Checkpoints from all openings of the project. */
  readonly records: KeptFiles[];
  /** Number of assigned names. */
  given = 0;
  /** Checkpoints copied to other projects, by their state folder. */
  copies = new Map<string, KeptFiles[]>();
  readonly configured: WorkspaceSettings[] = [];
  server: ServerState | undefined;
  stopped = false;

  constructor(contents: Contents = new Map(), checkpoints: KeptFiles[] = []) {
    this.contents = contents;
    this.records = checkpoints;
    this.given = Math.max(0, ...checkpoints.map(({ checkpoint }) => Number(checkpoint.slice(1))));
    this.files = memoryFiles(
      contents,
      (path, bytes) => this.#changed(path, bytes),
      () => this.#refuseStopped(),
    );
  }

  #isSource(path: ProjectPath): boolean {
    return isOwn(this.contents, path) && !isDataFile(path);
  }
  #isKept(path: ProjectPath): boolean {
    return this.#isSource(path) && !isSecretFile(path);
  }

  #refuseStopped(): void {
    if (this.stopped) throw new WorkspaceError("stopped", asSentence("The workspace was stopped."));
  }

  #changed(path: ProjectPath, bytes: Uint8Array | undefined): void {
    if (!isOwn(this.contents, path)) return;
    const change = bytes
      ? { path, kind: "written" as const, size: bytes.length, version: versionOf(bytes) }
      : { path, kind: "removed" as const, size: 0 };
    this.notice({ type: "files", changes: [change] });
  }

  /** Reported after the call that caused it, as a watcher does. */
  notice(event: WorkspaceNotice): void {
    setImmediate(() => {
      for (const listener of this.listeners) listener(event);
    });
  }

  /**
   * Writes a file as any program might.
   * @returns its version
   */
  put(path: ProjectPath, content: string | Uint8Array): string {
    const bytes = Buffer.from(content as string);
    this.contents.set(path, bytes);
    this.#changed(path, bytes);
    return versionOf(bytes);
  }

  async run(_command: string, _options?: RunOptions): Promise<Exit> {
    return { kind: "exited", code: 0, ms: 1, output: "" };
  }
  prove(command: string, options?: RunOptions): Promise<Exit> {
    return this.run(command, options);
  }
  async start(command: string): Promise<ServerState> {
    this.server = { state: "up", command, ports: [5173], restarts: 0 };
    this.notice({ type: "server", server: this.server });
    return this.server;
  }
  warm(_command: string): void {}
  serverLog(): string {
    return "";
  }
  async isServerSetUp(): Promise<boolean> {
    return true;
  }
  showPort(port: number): void {
    const { server } = this;
    if (server?.state !== "up" || !server.ports.includes(port)) return;
    this.server = { ...server, ports: [port, ...server.ports.filter((other) => other !== port)] };
  }
  async stopServer(): Promise<void> {
    if (!this.server) return;
    this.server = { ...this.server, state: "stopped", ports: [] };
    this.notice({ type: "server", server: this.server });
  }
  async terminal(_size?: { columns: number; rows: number }): Promise<Terminal> {
    throw new WorkspaceError("failed", asSentence("There is no terminal here."));
  }
  async pipe(_command?: string): Promise<Pipe> {
    throw new WorkspaceError("failed", asSentence("There is nothing to speak to here."));
  }
  async connect(port: number): Promise<Duplex> {
    throw new WorkspaceError("port", asSentence(`Nothing listens on ${port}.`));
  }

  dataFiles(): readonly ProjectPath[] {
    return [];
  }
  leftOut(): readonly LeftOut[] {
    return [];
  }
  async revision(): Promise<string> {
    this.#refuseStopped();
    const hash = createHash("sha1");
    for (const path of [...this.contents.keys()].filter((path) => this.#isSource(path)).toSorted())
      hash.update(`${path}\0${versionOf(this.contents.get(path)!)}\0`);
    return hash.digest("hex");
  }
  async checkpoint(label: string): Promise<CheckpointRecord> {
    const revision = await this.revision();
    const last = this.records.at(-1);
    if (last?.revision === revision) return recordOf(last);
    const files = new Map([...this.contents].filter(([path]) => this.#isKept(path)));
    const checkpoint = `c${++this.given}`;
    // Two checkpoints within a millisecond still have an order.
    const at = Math.max(Date.now(), (last?.at ?? 0) + 1);
    this.records.push({ checkpoint, revision, label, at, files });
    return recordOf(this.records.at(-1)!);
  }
  async checkpoints(): Promise<CheckpointRecord[]> {
    this.#refuseStopped();
    return this.records.map(recordOf);
  }
  #keptAt(name: string): KeptFiles {
    const found = this.records.find(
      ({ checkpoint, revision }) => name === checkpoint || name === revision,
    );
    if (!found) throw new WorkspaceError("missing", asSentence(`There is no checkpoint ${name}.`));
    return found;
  }
  async restore(name: string): Promise<CheckpointRecord> {
    this.#refuseStopped();
    const record = this.#keptAt(name);
    for (const path of [...this.contents.keys()].filter((path) => this.#isKept(path)))
      if (!record.files.has(path)) {
        this.contents.delete(path);
        this.#changed(path, undefined);
      }
    for (const [path, bytes] of record.files)
      if (this.contents.get(path) !== bytes) {
        this.contents.set(path, bytes);
        this.#changed(path, bytes);
      }
    return recordOf(record);
  }
  async diff(a: string, b?: string, only?: ProjectPath): Promise<FileDifference[]> {
    this.#refuseStopped();
    const before = this.#keptAt(a).files;
    const after = b === undefined ? this.contents : this.#keptAt(b).files;
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => this.#isKept(path) && (only === undefined || path === only))
      .toSorted()
      .flatMap((path) => differenceOf(path, before.get(path), after.get(path)) ?? []);
  }

  async nameCheckpoint(checkpoint: string, name: string | undefined): Promise<CheckpointRecord> {
    const found = this.#keptAt(checkpoint);
    if (name === undefined) delete found.name;
    else found.name = name;
    return recordOf(found);
  }
  /** A checkpoint's size is that of its files here. */
  async thin({ maxBytes, keep: pinned, now }: ThinOptions): Promise<Thinned> {
    const bytes = () =>
      this.records.reduce(
        (sum, { files }) => sum + [...files.values()].reduce((all, { length }) => all + length, 0),
        0,
      );
    const thinned: string[] = [];
    const stays = ({ checkpoint, revision, name }: CheckpointRecord) =>
      name !== undefined || pinned.has(checkpoint) || pinned.has(revision);
    for (const round of thinningRounds(this.records, stays, now)) {
      if (bytes() <= maxBytes) break;
      for (const name of round) {
        const at = this.records.findIndex(({ checkpoint }) => checkpoint === name);
        if (at !== -1)
          thinned.push(...this.records.splice(at, 1).map(({ checkpoint }) => checkpoint));
      }
    }
    return { thinned, bytes: bytes() };
  }
  async copyCheckpoints(checkpoint: string, stateDirectory: string): Promise<void> {
    this.copies.set(
      stateDirectory,
      this.records.slice(0, this.records.indexOf(this.#keptAt(checkpoint)) + 1),
    );
  }
  async fileAt(name: string, path: ProjectPath): Promise<KeptFile | undefined> {
    this.#refuseStopped();
    const bytes = this.#keptAt(name).files.get(path);
    return bytes && { bytes, version: versionOf(bytes), executable: false };
  }
  async fileHashes(): Promise<ReadonlyMap<ProjectPath, string>> {
    const found = [...this.contents].filter(([path]) => this.#isSource(path) || isInOutput(path));
    return new Map(found.map(([path, bytes]) => [path, versionOf(bytes)]));
  }
  async fileHistory(path: ProjectPath): Promise<FileMoment[]> {
    this.#refuseStopped();
    return this.records.flatMap(({ checkpoint, label, at, files }, index) => {
      const before = this.records[index - 1];
      const change = differenceOf(path, before?.files.get(path), files.get(path));
      if (!change || (!before?.files.has(path) && !files.has(path))) return [];
      return [{ checkpoint, before: before?.checkpoint, label, at, kind: change.kind }];
    });
  }

  listen(listener: (event: WorkspaceNotice) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  configure(settings: WorkspaceSettings): void {
    this.configured.push(settings);
  }
  async endProcesses(): Promise<boolean> {
    return true;
  }
  async stop(): Promise<void> {
    this.stopped = true;
    this.listeners.clear();
  }
}

const recordOf = ({ files: _files, ...record }: KeptFiles): CheckpointRecord => ({ ...record });

function differenceOf(
  path: ProjectPath,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileDifference | undefined {
  if (before && after && Buffer.compare(before, after) === 0) return undefined;
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
  const binary = [before, after].some((bytes) => bytes?.includes(0));
  return {
    path,
    kind: !before ? "added" : after ? "changed" : "removed",
    binary,
    diff: binary ? "" : formatUnifiedDiff(text(before), text(after)),
  };
}

/** Opens in-memory workspaces; a project's files persist between openings. */
export class MemoryDriver<Opened extends MemoryWorkspace> implements WorkspaceDriver {
  readonly name = "memory";
  readonly opened = new Map<string, Opened>();
  readonly #contents = new Map<string, Contents>();
  readonly #kept = new Map<string, KeptFiles[]>();
  readonly #copies = new Map<string, KeptFiles[]>();
  readonly #make: (options: OpenOptions, contents: Contents, checkpoints: KeptFiles[]) => Opened;

  constructor(
    make: (options: OpenOptions, contents: Contents, checkpoints: KeptFiles[]) => Opened,
  ) {
    this.#make = make;
  }
  async probe() {
    return { ok: true, checks: [] };
  }
  async open(options: OpenOptions): Promise<Opened> {
    const { project } = options;
    const contents: Contents = this.#contents.get(project) ?? new Map();
    this.#contents.set(project, contents);
    const checkpoints =
      this.#kept.get(project) ??
      this.#copies.get(options.stateDirectory)?.map((one) => ({ ...one })) ??
      [];
    this.#kept.set(project, checkpoints);
    const workspace = this.#make(options, contents, checkpoints);
    workspace.copies = this.#copies;
    this.opened.set(project, workspace);
    return workspace;
  }
  async prepareTemplates(): Promise<void> {}
  async close(): Promise<void> {}
}
