/** The in-memory workspace with terminals, and a driver that tests can control. */
import { asSentence } from "@treadle/protocol/sentences";
import { createServer, type RequestListener } from "node:http";
import { duplexPair, type Duplex } from "node:stream";
import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import {
  WorkspaceError,
  type Exit,
  type OpenOptions,
  type RunOptions,
  type Terminal,
} from "../types.ts";
import { MemoryDriver, MemoryWorkspace, type KeptFiles } from "./memory-workspace.test-support.ts";

export class FakeWorkspace extends MemoryWorkspace {
  /** Set by `FakeDriver.hasCopies`. */
  copy?: () => Promise<FakeWorkspace>;
  readonly terminals: FakeTerminal[] = [];
  readonly started: string[] = [];
  readonly options: OpenOptions;
  /** Handles requests to its server; absent: nothing listens. */
  answer?: RequestListener | undefined;
  /** Determines the results of its commands; absent: they exit with 0. */
  perform?:
    | ((
        command: string,
        env: Record<string, string> | undefined,
      ) => { code: number; output: string } | undefined)
    | undefined;

  constructor(
    options: OpenOptions,
    contents: Map<ProjectPath, Uint8Array>,
    checkpoints: KeptFiles[] = [],
  ) {
    super(contents, checkpoints);
    this.options = options;
  }

  override put(path: string, content: string | Uint8Array): string {
    return super.put(toProjectPath(path), content);
  }
  override async run(command: string, options?: RunOptions): Promise<Exit> {
    const outcome = this.perform?.(command, options?.env);
    return outcome ? { kind: "exited", ms: 1, ...outcome } : super.run(command, options);
  }
  override start(command: string) {
    this.started.push(command);
    return super.start(command);
  }
  override async connect(port: number): Promise<Duplex> {
    if (!this.answer || this.server?.state !== "up") return super.connect(port);
    const [near, far] = duplexPair();
    createServer(this.answer).emit("connection", far);
    return near;
  }
  override async terminal() {
    const terminal = new FakeTerminal(`t${this.terminals.length}`);
    this.terminals.push(terminal);
    return terminal;
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

/** Opens fake workspaces; a project's files persist between openings. */
export class FakeDriver extends MemoryDriver<FakeWorkspace> {
  failure: Error | undefined;
  /** Creates the request handlers for the servers of all workspaces. */
  answer: ((workspace: FakeWorkspace) => RequestListener) | undefined;
  /** Determines the results of the commands of all workspaces. */
  perform:
    | ((
        workspace: FakeWorkspace,
        command: string,
        env: Record<string, string> | undefined,
      ) => { code: number; output: string } | undefined)
    | undefined;
  /** Maximum number of open workspaces; the next one fails with `full`. */
  most = Infinity;
  /** Whether workspaces can be copied, as `Workspace.copy` does. */
  hasCopies = false;

  constructor() {
    super((options, contents, checkpoints) => new FakeWorkspace(options, contents, checkpoints));
  }

  override async open(options: OpenOptions) {
    if (this.failure) throw this.failure;
    if ([...this.opened.values()].filter(({ stopped }) => !stopped).length >= this.most)
      throw new WorkspaceError("full", asSentence("As many projects run as may."));
    return this.#equip(await super.open(options));
  }

  #equip(workspace: FakeWorkspace): FakeWorkspace {
    workspace.answer = this.answer?.(workspace);
    workspace.perform = (command, env) => this.perform?.(workspace, command, env);
    if (this.hasCopies)
      workspace.copy = async () =>
        this.#equip(new FakeWorkspace(workspace.options, new Map(workspace.contents)));
    return workspace;
  }
}
