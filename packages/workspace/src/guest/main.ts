/** The guest: the small program inside the sandbox that does the workspace's file and process work. */
import { connect } from "node:net";
import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { measureActivity } from "../limits/activity.ts";
import { checkPath } from "../paths.ts";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import {
  PROXY_SOCKET,
  type GuestConfig,
  type GuestMessage,
  type GuestRequest,
  type InstallAnswer,
} from "../wire/types.ts";
import { WorkspaceError, type SearchQuery, type WorkspaceErrorCode } from "../types.ts";
import { carriedBytes, dialPort, offer } from "./bridges.ts";
import { watchCountedRefusals } from "./counted-refusals.ts";
import { keepCompiledCode } from "./compiled-code.ts";
import { closeMemory } from "./close-memory.ts";
import { createFiles } from "./files.ts";
import { createInstallAsks } from "./install-asks.ts";
import { listFiles } from "./list-files.ts";
import { createManifest } from "./manifest.ts";
import { createPipes } from "./pipes.ts";
import { createProcesses, type ProcessEvents } from "./processes.ts";
import { createRefusalWatch } from "./refusals.ts";
import { createMadeRepositories } from "./made-repositories.ts";
import { offerHeaders } from "./node-headers.ts";
import { makeRoom, moveIn } from "./root-repository.ts";
import { search } from "./search.ts";
import { createShortWays } from "./short-ways.ts";
import { createTerminals } from "./terminals.ts";
import { createTransfers } from "./transfers.ts";
import { watchFiles } from "./watch-files.ts";
import { watchPorts } from "./watch-ports.ts";

/** Bytes on their way to the host above which commands are made to wait. */
const HIGH_WATER = 1024 * 1024;

// A file that would become too large is an error of the write then, and not the guest's end.
process.on("SIGXFSZ", () => undefined);

const config = JSON.parse(process.argv[2] ?? "{}") as GuestConfig;
// Before anything of the project runs. Without a sandbox there is no border that this could be a part of.
if (config.ways.length > 0) closeMemory(tmpdir());
const host = connect(`${config.sockets}/guest.sock`);
// A reset is an end like any other; what has to be done about it is done at `close`, which follows.
host.on("error", () => undefined);
// In a sandbox all ends with the guest. Where there is none, what was started would stay.
host.on("close", () => {
  processes.killAll([...terminals.list(), ...pipes.list()]);
  process.exit(0);
});

function send(message: GuestMessage, body?: Uint8Array): boolean {
  for (const piece of encodeFrame(message, body)) host.write(piece);
  return host.writableLength < HIGH_WATER;
}

/** Ports that the guest itself listens on. */
const own = config.ways.map(({ port }) => port);
const files = createFiles(config.root);
const transfers = createTransfers(files);
const manifest = createManifest(config.root, config.secretKey);
const setRepositoriesAside = config.keptRepositories
  ? createMadeRepositories(config.root, config.keptRepositories)
  : () => [];
/** What just ended may have ended for want of something: that is said before its end. */
const lookAtLimits =
  config.controlGroups === undefined
    ? () => {}
    : watchCountedRefusals(config.controlGroups, (limit) => void send({ kind: "limit", limit }));
const events: ProcessEvents = {
  onOutput: (id, bytes) => send({ kind: "output", process: id }, bytes),
  onExit(id, code, signal) {
    lookAtLimits();
    send({ kind: "exit", process: id, code, ...(signal && { signal }) });
  },
};
const inside = { root: config.root, env: config.env };
const processes = createProcesses({ ...inside, alone: config.ways.length > 0, events });
const asks = createInstallAsks(config.root, send);
const shortWays = createShortWays({ ...inside, files, processes, asks, events });
const terminals = createTerminals({
  root: config.root,
  env: config.env,
  alone: config.ways.length > 0,
  onData: (id, data) => send({ kind: "terminal-data", terminal: id }, Buffer.from(data)),
  onExit(id, code) {
    lookAtLimits();
    return send({ kind: "terminal-exit", terminal: id, code });
  },
});
const pipes = createPipes({
  ...inside,
  alone: config.ways.length > 0,
  onData: (id, from, bytes) => send({ kind: "piped", process: id, from }, bytes),
  onExit: events.onExit,
});
host.on("drain", () => {
  processes.resume();
  pipes.resume();
  terminals.resume();
});

/** Every parameter that some method takes; the host is trusted to send each method its own. */
interface Params extends SearchQuery {
  path: string;
  limit?: number;
  ifVersion?: string;
  executable?: boolean;
  handle: number;
  from: string;
  to: string;
  process: string;
  command: string;
  env: Record<string, string>;
  port: number;
  token: string;
  terminal: string;
  columns: number;
  rows: number;
  ask: number;
  answer: InstallAnswer;
  text: string;
  madeInside: boolean;
}
type Answer = { result?: unknown; body?: Uint8Array };
const methods: Record<string, (params: Params, body: Uint8Array) => Answer | Promise<Answer>> = {
  async read({ path, limit }) {
    const { bytes, version } = await files.read(path, limit);
    return { result: { version }, body: bytes };
  },
  write: async ({ path, ifVersion, executable }, body) => ({
    result: await files.write(path, body, { ifVersion, executable }),
  }),
  "read-open": async ({ path }) => ({ result: await transfers.openReader(path) }),
  "read-next": async ({ handle }) => ({ body: await transfers.read(handle) }),
  "draft-open": async ({ path, executable }) => ({
    result: await transfers.openDraft(path, executable),
  }),
  "draft-append": async ({ handle }, body) => ({ result: await transfers.append(handle, body) }),
  "draft-commit": async ({ handle, ifVersion }) => ({
    result: await transfers.commit(handle, ifVersion),
  }),
  "transfer-close": ({ handle }) => ({ result: transfers.close(handle) }),
  link: async ({ path, to }) => ({ result: await files.link(path, to) }),
  prune: async ({ path }) => ({ result: await files.prune(path) }),
  remove: async ({ path }) => ({ result: await files.remove(path) }),
  rename: async ({ from, to }) => ({ result: await files.rename(from, to) }),
  list: (options) => ({ result: listFiles(config.root, options) }),
  search: async (query) => ({
    result: await search(config.root, config.ripgrep, query),
  }),
  "list-raw": ({ path }) => ({ result: listRaw(`${config.root}/${checkPath(path)}`) }),
  manifest: () => ({ result: manifest() }),
  "root-room": ({ madeInside }) => ({ result: makeRoom(config.root, madeInside) }),
  "root-move-in": async ({ path }) => ({ result: await moveIn(config.root, path) }),
  "set-repositories-aside": () => ({ result: setRepositoriesAside() }),
  async start({ process: id, command, env }) {
    if (!(await shortWays.start(id, command, env))) processes.start(id, command, env);
    return {};
  },
  activity({ process: id }) {
    const { cpuMs, bytes } = measureActivity(processes.familyOf(id));
    // Not every way of receiving is counted for a process.
    return { result: { cpuMs, bytes: bytes + carriedBytes() } };
  },
  kill: async ({ process: id }) => ({
    result: shortWays.kill(id) ? undefined : await processes.kill(id),
  }),
  "end-all": async () => ({
    result: await processes.endAll([...terminals.list(), ...pipes.list()]),
  }),
  "end-left-behind": async ({ process: but }) => ({
    result: await processes.endLeftBehind([...terminals.list(), ...pipes.list(), but]),
  }),
  "pipe-start": ({ process: id, command, env }) => ({ result: pipes.start(id, command, env) }),
  "pipe-write": ({ process: id }, body) => ({ result: pipes.write(id, body) }),
  "pipe-kill": async ({ process: id }) => ({ result: await processes.kill(id, pipes.pidOf(id)) }),
  dial: async ({ port, token }) => ({
    // The ways out are for what runs in here, not for a preview.
    result: own.includes(port)
      ? refuse("port", `port ${port} is not the project's`)
      : await dialPort({ port, token, streamSocket: `${config.sockets}/stream.sock` }),
  }),
  "terminal-start": ({ terminal, columns, rows }) => ({
    result: terminals.start(terminal, columns, rows),
  }),
  "terminal-write": ({ terminal }, body) => ({
    result: terminals.write(terminal, Buffer.from(body).toString()),
  }),
  "terminal-resize": ({ terminal, columns, rows }) => ({
    result: terminals.resize(terminal, columns, rows),
  }),
  async "terminal-kill"({ terminal }) {
    terminals.kill(terminal);
    await processes.kill(terminal);
    return {};
  },
  "install-say": ({ ask, text }) => ({ result: void asks.say(ask, text) }),
  "install-answer": ({ ask, answer }) => ({ result: asks.answer(ask, answer) }),
};

host.on(
  "data",
  createFrameReader<GuestRequest>({
    onBroken: () => process.exit(1),
    onFrame: ({ header: { id, method, params }, body }) => void reply(id, method, params, body),
  }),
);

/** Never rejects. */
async function reply(id: number, method: string, params: object, body: Uint8Array): Promise<void> {
  try {
    const act = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!act) throw new WorkspaceError("failed", `the guest has no method ${method}`);
    const answer = await act(params as Params, body);
    send({ kind: "reply", id, ok: true, result: answer.result ?? null }, answer.body);
  } catch (error) {
    const known = error instanceof WorkspaceError ? error : undefined;
    send({
      kind: "reply",
      id,
      ok: false,
      code: known?.code ?? "failed",
      message: (error as Error).message,
      ...(known?.version !== undefined && { version: known.version }),
    });
  }
}

function refuse(code: WorkspaceErrorCode, message: string): never {
  throw new WorkspaceError(code, message);
}

/** Names in one folder, ignored ones included; none where there is no folder. */
function listRaw(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const installSocket = config.env.TREADLE_INSTALL_SOCKET;
if (installSocket) asks.listen(installSocket);

// Without a sandbox it is everybody's folder.
if (config.ways.length > 0) keepCompiledCode(config.root, tmpdir());
if (config.headers !== undefined) offerHeaders(config.env.HOME!, config.headers);
if (config.trusted) writeFileSync(config.trusted.path, config.trusted.text);
if (config.npmrc !== "") writeFileSync(`${config.env.HOME}/.npmrc`, config.npmrc);
for (const { port, socket } of config.ways)
  await offer(
    port,
    `${config.sockets}/${socket}`,
    socket !== PROXY_SOCKET
      ? undefined
      : createRefusalWatch({
          ids: () => [
            ...processes.list().map(({ id }) => id),
            ...terminals.list(),
            ...pipes.list(),
          ],
          proxyPort: port,
          onRefused: (refused) => send({ kind: "refused", ...refused }),
        }),
  );
watchPorts({ processes, own, onPorts: (ports) => send({ kind: "ports", ports }) });
send({ kind: "ready", pid: process.pid });
await watchFiles(config.root, {
  onChanges: (changes) => send({ kind: "files", changes }),
  onRepository: (atRoot) => send({ kind: "repository", atRoot }),
});
