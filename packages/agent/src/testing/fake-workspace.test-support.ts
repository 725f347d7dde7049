import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { duplexPair, type Duplex } from "node:stream";
import type { ProjectPath, ServerState } from "@treadle/protocol";
import {
  checkPath,
  WorkspaceError,
  type CheckpointRecord,
  type Exit,
  type RunOptions,
  type SearchMatch,
  type Workspace,
  type WorkspaceNotice,
} from "@treadle/workspace";

interface CommandResult {
  code?: number;
  output?: string;
  /** Files that it writes. */
  writes?: Record<string, string>;
  /** It goes on and listens. */
  listens?: boolean;
  /** It never ends by itself. */
  hangs?: boolean;
}

export interface FakeWorkspaceOptions {
  files?: Record<string, string>;
  /** What commands do; `undefined` is left to the usual: npm install installs, everything else ends with 0. */
  command?: (command: string, workspace: FakeWorkspace) => CommandResult | undefined;
  /** What only the running app writes; it takes part in the revision all the same. */
  data?: string[];
  /** What a server does once it is started; `undefined`: it crashes. */
  serve?: (command: string, workspace: FakeWorkspace) => RequestListener | undefined;
}

export interface FakeWorkspace extends Workspace {
  text(path: string): string | undefined;
  put(path: string, content: string | Uint8Array): string;
  paths(): ProjectPath[];
  /** As if something inside had asked for a host that is not allowed. */
  refuse(host: string): void;
  /** The running server opens one more port. @returns which */
  openPort(serves: RequestListener): number;
  /** The running server prints, or ends. */
  print(text: string): void;
  crashServer(code: number): void;
  /** Everything that was run, proven or started. */
  readonly commands: string[];
  /** Commands that go on now. */
  running: number;
}

const encoder = new TextEncoder();
const hash = (...pieces: (string | Uint8Array)[]) => {
  const sum = createHash("sha1");
  for (const piece of pieces) sum.update(piece);
  return sum.digest("hex");
};
const isKept = (path: string) => !path.startsWith("node_modules/") && !path.startsWith("dist/");

/** A project in memory, with commands and servers that do what the test says. */
export function createFakeWorkspace(options: FakeWorkspaceOptions = {}): FakeWorkspace {
  const files = new Map<ProjectPath, Uint8Array>(
    Object.entries(options.files ?? {}).map(([path, text]) => [
      checkPath(path),
      encoder.encode(text),
    ]),
  );
  const kept: (CheckpointRecord & { files: Map<ProjectPath, Uint8Array> })[] = [];
  const commands: string[] = [];
  const listeners = new Set<(notice: WorkspaceNotice) => void>();
  let server: ServerState | undefined;
  let listener: RequestListener | undefined;
  const others = new Map<number, RequestListener>();
  let log = "";
  let ports = 3000;

  const revisionNow = () =>
    hash(
      ...[...files]
        .filter(([path]) => isKept(path))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flat(),
    );

  const put = (path: string, content: string | Uint8Array) => {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    files.set(checkPath(path), bytes);
    return hash(bytes);
  };

  const run = async (command: string, { signal, onOutput }: RunOptions = {}): Promise<Exit> => {
    signal?.throwIfAborted();
    commands.push(command);
    const result = options.command?.(command, workspace) ?? usual(command, files);
    if (result.output) onOutput?.(result.output);
    if (result.hangs) {
      workspace.running++;
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      workspace.running--;
      return { kind: "aborted", ms: 1, output: result.output ?? "" };
    }
    for (const [path, text] of Object.entries(result.writes ?? {})) put(path, text);
    if (result.listens) {
      const state = await workspace.start(command);
      return { kind: "adopted", server: state, ms: 1, output: result.output ?? "" };
    }
    return { kind: "exited", code: result.code ?? 0, ms: 1, output: result.output ?? "" };
  };

  const workspace: FakeWorkspace = {
    commands,
    running: 0,
    text: (path) => {
      const bytes = files.get(checkPath(path));
      return bytes && new TextDecoder().decode(bytes);
    },
    put,
    paths: () => [...files.keys()].sort(),
    files: {
      async read(path, { limit = 16_000_000 } = {}) {
        const bytes = files.get(checkPath(path));
        if (!bytes) throw new WorkspaceError("missing", `There is no ${path}.`);
        if (bytes.length > limit) throw new WorkspaceError("too-large", `${path} is too large.`);
        return { bytes, version: hash(bytes) };
      },
      async write(path, content, { ifVersion } = {}) {
        const before = files.get(checkPath(path));
        const standing = before ? hash(before) : "absent";
        if (ifVersion !== undefined && ifVersion !== standing)
          throw new WorkspaceError("conflict", `${path} has changed.`, standing);
        const version = put(path, content);
        return { version, size: files.get(checkPath(path))?.length ?? 0, created: !before };
      },
      // The agent works with files that fit into memory.
      readStream: () => Promise.reject(new WorkspaceError("failed", "There are no streams here.")),
      writeStream: () => Promise.reject(new WorkspaceError("failed", "There are no streams here.")),
      async remove(path) {
        if (!files.delete(checkPath(path)))
          throw new WorkspaceError("missing", `There is no ${path}.`);
      },
      async rename(from, to) {
        const bytes = files.get(checkPath(from));
        if (!bytes) throw new WorkspaceError("missing", `There is no ${from}.`);
        files.delete(checkPath(from));
        files.set(checkPath(to), bytes);
      },
      async list({ under = "", limit = 1_000 } = {}) {
        const all = [...files]
          .filter(([path]) => isKept(path) && path.startsWith(under))
          .map(([path, bytes]) => ({ path, kind: "file" as const, size: bytes.length }));
        return { files: all.slice(0, limit), more: all.length > limit };
      },
      async search({ pattern, regex, glob, around = 0, limit = 200 }) {
        const wanted = regex ? new RegExp(pattern) : undefined;
        const matches = [...files].flatMap(([path, bytes]): SearchMatch[] => {
          // Names only: patterns are ripgrep's, and leave nothing out here.
          const other = glob && !/[*?{[]/.test(glob) && !`/${path}`.endsWith(`/${glob}`);
          if (!isKept(path) || other) return [];
          const lines = new TextDecoder().decode(bytes).split("\n");
          const hits = lines.map((text) => (wanted ? wanted.test(text) : text.includes(pattern)));
          return lines.flatMap((text, index) => {
            const near = hits.slice(Math.max(0, index - around), index + around + 1);
            if (!near.includes(true)) return [];
            const match = { path, line: index + 1, text };
            return [hits[index] ? match : { ...match, beside: true as const }];
          });
        });
        return { matches: matches.slice(0, limit), more: matches.length > limit };
      },
    },
    run,
    prove: (command, runOptions) => run(command, runOptions),
    async start(command) {
      commands.push(`start: ${command}`);
      others.clear();
      log = "";
      listener = options.serve?.(command, workspace);
      server = listener
        ? { state: "up", command, ports: [++ports, ...others.keys()], restarts: 0 }
        : {
            state: "crashed",
            command,
            ports: [],
            restarts: 3,
            exitCode: 1,
            tail: "Error: it crashed",
          };
      return server;
    },
    warm(command) {
      commands.push(`warm: ${command}`);
    },
    serverLog: () => log,
    dataFiles: () => (options.data ?? []).map(checkPath),
    isServerSetUp: async () => true,
    showPort(port) {
      if (server?.state !== "up" || !server.ports.includes(port)) return;
      server = { ...server, ports: [port, ...server.ports.filter((other) => other !== port)] };
    },
    async stopServer() {
      server = undefined;
    },
    get server() {
      return server;
    },
    async terminal() {
      throw new WorkspaceError("failed", "There is no terminal here.");
    },
    async pipe() {
      throw new WorkspaceError("failed", "There is nothing to speak to here.");
    },
    async connect(port): Promise<Duplex> {
      const serves = others.get(port) ?? listener;
      if (!serves || !server?.ports.includes(port))
        throw new WorkspaceError("port", `Nothing listens on ${port}.`);
      const [ours, theirs] = duplexPair();
      createServer(serves).emit("connection", theirs);
      return ours;
    },
    revision: async () => revisionNow(),
    async checkpoint(label) {
      const revision = revisionNow();
      const last = kept.at(-1);
      if (last?.revision === revision) return last;
      const record = {
        checkpoint: `c${kept.length + 1}`,
        revision,
        label,
        at: kept.length,
        files: new Map(files),
      };
      kept.push(record);
      return record;
    },
    checkpoints: async () => [...kept],
    async restore(id) {
      const found = kept.find(({ checkpoint }) => checkpoint === id);
      if (!found) throw new WorkspaceError("missing", "There is no such checkpoint.");
      files.clear();
      for (const [path, bytes] of found.files) files.set(path, bytes);
      return found;
    },
    diff: async () => [],
    listen(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    refuse(host) {
      for (const told of listeners) told({ type: "egress-refused", host, reason: "not-allowed" });
    },
    openPort(serves) {
      const port = ++ports;
      others.set(port, serves);
      if (server) server = { ...server, ports: [...server.ports, port] };
      return port;
    },
    print(text) {
      log += text;
      for (const told of listeners) told({ type: "server-output", text });
    },
    crashServer(exitCode) {
      if (!server) return;
      server = { ...server, state: "crashed", ports: [], exitCode, tail: log };
      for (const told of listeners) told({ type: "server", server });
    },
    configure() {},
    endProcesses: async () => true,
    async stop() {},
  };
  return workspace;
}

/** npm install puts a manifest for each dependency; a build says that it wrote something. */
function usual(command: string, files: Map<ProjectPath, Uint8Array>): CommandResult {
  if (/npm (?:install|i)\b/.test(command)) {
    const manifest = JSON.parse(
      new TextDecoder().decode(files.get(checkPath("package.json")) ?? encoder.encode("{}")),
    ) as {
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
