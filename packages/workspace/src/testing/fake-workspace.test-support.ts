/** The workspace in memory, with terminals and a driver that tests hold up. */
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
  readonly terminals: FakeTerminal[] = [];
  readonly started: string[] = [];
  readonly options: OpenOptions;
  /** What its server answers with; absent: nothing listens. */
  answer?: RequestListener | undefined;
  /** What its commands come to; absent: they end with 0. */
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

/** Opens fake workspaces; a project's files stay from one opening to the next. */
export class FakeDriver extends MemoryDriver<FakeWorkspace> {
  failure: Error | undefined;
  /** What the servers of all workspaces answer with. */
  answer: ((workspace: FakeWorkspace) => RequestListener) | undefined;
  /** What the commands of all workspaces come to. */
  perform:
    | ((
        workspace: FakeWorkspace,
        command: string,
        env: Record<string, string> | undefined,
      ) => { code: number; output: string } | undefined)
    | undefined;
  /** As many as may be open; `full` is said to the next one. */
  most = Infinity;

  constructor() {
    super((options, contents, checkpoints) => new FakeWorkspace(options, contents, checkpoints));
  }

  override async open(options: OpenOptions) {
    if (this.failure) throw this.failure;
    if ([...this.opened.values()].filter(({ stopped }) => !stopped).length >= this.most)
      throw new WorkspaceError("full", "As many projects run as may.");
    const workspace = await super.open(options);
    workspace.answer = this.answer?.(workspace);
    workspace.perform = (command, env) => this.perform?.(workspace, command, env);
    return workspace;
  }
}
