import { asSentence } from "@treadle/protocol/sentences";
import { createServer, type RequestListener } from "node:http";
import { duplexPair, type Duplex } from "node:stream";
import type { ProjectPath, ServerState } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError, type Exit, type RunOptions } from "@treadle/workspace";
import { MemoryWorkspace } from "@treadle/workspace/testing";

interface CommandResult {
  code?: number;
  output?: string;
  /** Files that the command writes. */
  writes?: Record<string, string>;
  /** Whether the command keeps running and listens on a port. */
  listens?: boolean;
  /** Whether the command never exits. */
  hangs?: boolean;
}

export interface FakeWorkspaceOptions {
  files?: Record<string, string>;
  /** What commands do. `undefined`: the default (npm install installs, everything else exits with 0). */
  command?: (command: string, workspace: FakeWorkspace) => CommandResult | undefined;
  /** Files that only the running app writes; they are part of the revision nevertheless. */
  data?: string[];
  /** What a started server does; `undefined`: it crashes. */
  serve?: (command: string, workspace: FakeWorkspace) => RequestListener | undefined;
}

/** A workspace in memory whose commands and servers do what the test says. */
export class FakeWorkspace extends MemoryWorkspace {
  /** All commands that were run, proven or started. */
  readonly commands: string[] = [];
  /** The number of running commands. */
  running = 0;
  readonly #options: FakeWorkspaceOptions;
  readonly #others = new Map<number, RequestListener>();
  #listener: RequestListener | undefined;
  #log = "";
  #ports = 3000;

  constructor(options: FakeWorkspaceOptions) {
    super(
      new Map(
        Object.entries(options.files ?? {}).map(([path, text]) => [
          toProjectPath(path),
          Buffer.from(text),
        ]),
      ),
    );
    this.#options = options;
  }

  text(path: string): string | undefined {
    return this.contents.get(toProjectPath(path))?.toString();
  }
  override put(path: string, content: string | Uint8Array): string {
    return super.put(toProjectPath(path), content);
  }
  paths(): ProjectPath[] {
    return [...this.contents.keys()].toSorted();
  }

  override async run(command: string, { signal, onOutput }: RunOptions = {}): Promise<Exit> {
    signal?.throwIfAborted();
    this.commands.push(command);
    const result = this.#options.command?.(command, this) ?? usual(command, this);
    const { output = "" } = result;
    if (output !== "") onOutput?.(output);
    if (result.hangs) {
      this.running++;
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      this.running--;
      return { kind: "aborted", ms: 1, output };
    }
    for (const [path, text] of Object.entries(result.writes ?? {})) this.put(path, text);
    if (result.listens)
      return { kind: "adopted", server: await this.start(command), ms: 1, output };
    return { kind: "exited", code: result.code ?? 0, ms: 1, output };
  }

  override async start(command: string): Promise<ServerState> {
    this.commands.push(`start: ${command}`);
    this.#others.clear();
    this.#log = "";
    this.#listener = this.#options.serve?.(command, this);
    this.server = this.#listener
      ? { state: "up", command, ports: [++this.#ports, ...this.#others.keys()], restarts: 0 }
      : {
          state: "crashed",
          command,
          ports: [],
          restarts: 3,
          exitCode: 1,
          tail: "Error: it crashed",
        };
    return this.server;
  }
  override async stopServer(): Promise<void> {
    this.server = undefined;
  }
  override warm(command: string): void {
    this.commands.push(`warm: ${command}`);
  }
  override serverLog(): string {
    return this.#log;
  }
  override dataFiles(): readonly ProjectPath[] {
    return (this.#options.data ?? []).map(toProjectPath);
  }
  override async connect(port: number): Promise<Duplex> {
    const serves = this.#others.get(port) ?? this.#listener;
    if (!serves || !this.server?.ports.includes(port))
      throw new WorkspaceError("port", asSentence(`Nothing listens on ${port}.`));
    const [ours, theirs] = duplexPair();
    createServer(serves).emit("connection", theirs);
    return ours;
  }

  /** Simulates a request from inside for a host that is not allowed. */
  refuse(host: string): void {
    for (const listener of this.listeners)
      listener({ type: "egress-refused", host, reason: "not-allowed" });
  }
  /** Simulates an install of a package that may not be installed. */
  refusePackage(name: string): void {
    for (const listener of this.listeners) listener({ type: "package-refused", name });
  }
  /**
   * Makes the running server open another port.
   * @returns the port
   */
  openPort(serves: RequestListener): number {
    const port = ++this.#ports;
    this.#others.set(port, serves);
    if (this.server) {
      this.server = { ...this.server, ports: [...this.server.ports, port] };
      for (const listener of this.listeners) listener({ type: "server", server: this.server });
    }
    return port;
  }
  /** Makes the running server print, or end. */
  print(text: string): void {
    this.#log += text;
    for (const listener of this.listeners) listener({ type: "server-output", text });
  }
  crashServer(exitCode: number): void {
    if (!this.server) return;
    this.server = { ...this.server, state: "crashed", ports: [], exitCode, tail: this.#log };
    for (const listener of this.listeners) listener({ type: "server", server: this.server });
  }
}

export const createFakeWorkspace = (options: FakeWorkspaceOptions = {}) =>
  new FakeWorkspace(options);

/** Default commands: npm install writes a manifest for each dependency; a build reports that it wrote files. */
function usual(command: string, workspace: FakeWorkspace): CommandResult {
  if (/npm (?:install|i)\b/.test(command)) {
    const manifest = JSON.parse(workspace.text("package.json") ?? "{}") as {
      dependencies?: Record<string, string>;
    };
    const writes: Record<string, string> = {};
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (name === "react-doom")
        return {
          code: 1,
          output: "npm error code E404\nnpm error 404 'react-doom@*' is not in this registry.",
        };
      writes[`node_modules/${name}/package.json`] = JSON.stringify({
        name,
        version: range.replace(/^[^\d]*/, ""),
      });
    }
    return { output: `added ${Object.keys(writes).length} packages in 1s`, writes };
  }
  return { output: command.includes("[treadle]") ? "built\n[treadle] files written: 3\n" : "" };
}
