/** The guest: the small program inside the sandbox that does the workspace's file and process work. */
import { connect } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import { PROXY_SOCKET } from "@treadle/egress/proxy-socket";
import type { GuestConfig } from "../wire/config.ts";
import type { GuestMessage, GuestReply } from "../wire/messages.ts";
import { describeOtherVersion, WIRE_VERSION } from "../wire/version.ts";
import { answerRequests } from "./answer-requests.ts";
import { offer } from "./bridges.ts";
import { watchCountedRefusals } from "./counted-refusals.ts";
import { keepCompiledCode } from "./compiled-code.ts";
import { closeMemory } from "./close-memory.ts";
import { createFiles } from "./files.ts";
import { createInstallAsks } from "./install-asks.ts";
import { createMethods } from "./methods.ts";
import { createOutsideNames } from "./outside-names.ts";
import { postgresEnvironment } from "../data-conventions/postgres-environment.ts";
import { createPipes } from "./pipes.ts";
import { createProcesses, type ProcessEvents } from "./processes.ts";
import { createRefusalWatch } from "./refusals.ts";
import { offerHeaders } from "./node-headers.ts";
import { createQuickNpm } from "./quick-npm.ts";
import { createTerminals } from "./terminals.ts";
import { createSources } from "../sources/sources.ts";
import { createSourceReader } from "./source-reader.ts";
import { sweepDrafts } from "./sweep-drafts.ts";
import { createCountedCode } from "./counted-code.ts";
import { createEndedParts } from "./ended-parts.ts";
import { createTakenDials } from "./taken-dials.ts";
import { watchFiles } from "./watch-files.ts";
import { watchPorts } from "./watch-ports.ts";

/** Number of bytes queued for the host above which commands are paused. */
const HIGH_WATER = 1024 * 1024;

// A file that would become too large then fails the write instead of ending the guest.
process.on("SIGXFSZ", () => undefined);

const config = JSON.parse(process.argv[2] ?? "{}") as GuestConfig;
if (config.version !== WIRE_VERSION) {
  process.stderr.write(`${describeOtherVersion(WIRE_VERSION, config.version).text}\n`);
  process.exit(1);
}
// Done before any of the project's code runs. Without a sandbox there is no boundary to protect.
if (config.ways.length > 0) closeMemory(tmpdir());
const host = connect(`${config.sockets}/guest.sock`);
// A reset is handled like any other close, by the `close` event that follows.
host.on("error", () => undefined);
// A sandbox's processes end with the guest. Without a sandbox, they would continue to run.
host.on("close", () => {
  processes.killAll([...terminals.list(), ...pipes.list()]);
  process.exit(0);
});

let portWatch: ReturnType<typeof watchPorts> | undefined;
function send(message: GuestMessage | GuestReply, body?: Uint8Array): boolean {
  portWatch?.stir();
  for (const piece of encodeFrame(message, body)) host.write(piece);
  return host.writableLength < HIGH_WATER;
}

/** Ports that the guest itself listens on. */
const own = config.ways.map(({ port }) => port);
const files = createFiles(config.root);
const sources = createSources(createSourceReader(config.root));
/**
 * A process that just exited may have been refused memory or processes: that is reported before its
 * exit.
 */
const lookAtLimits =
  config.controlGroups === undefined
    ? () => {}
    : watchCountedRefusals(config.controlGroups, (limit) => void send({ kind: "limit", limit }));
const events: ProcessEvents = {
  onOutput: (id, bytes) => send({ kind: "output", process: id }, bytes),
  onExit(id, code, signal) {
    lookAtLimits();
    send({ kind: "exit", process: id, code, signal });
  },
};
const inside = {
  root: config.root,
  env: (more?: Record<string, string>) => postgresEnvironment(config.root, config.env, more),
};
const processes = createProcesses({ ...inside, alone: config.ways.length > 0, events });
const asks = createInstallAsks(config.root, send);
const dials = createTakenDials(config.env.TREADLE_GUEST!);
const counted = createCountedCode(config.env.TREADLE_GUEST!, config.root);
const ends =
  config.env.TREADLE_CODE === undefined
    ? undefined
    : createEndedParts(
        config.env.TREADLE_GUEST!,
        join(dirname(config.env.TREADLE_CODE), "treadle-ends"),
        config.root,
      );
const shortWays = createQuickNpm({ ...inside, files, processes, asks, events });
const terminals = createTerminals({
  ...inside,
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
  onUnread: (id, pid) => void processes.kill(id, pid),
});
host.on("drain", () => {
  processes.resume();
  pipes.resume();
  terminals.resume();
});

/** The number of descriptors that this process may open. Outside names may use a quarter of them. */
const openFilesLimit = (): number =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 1_024);
const watchRefusals = createRefusalWatch({
  ids: () => [...processes.list().map(({ id }) => id), ...terminals.list(), ...pipes.list()],
  onRefused: (refused) => send({ kind: "refused", ...refused }),
});
const names = config.ways.some(({ socket }) => socket === PROXY_SOCKET)
  ? createOutsideNames({
      proxySocket: `${config.sockets}/${PROXY_SOCKET}`,
      onAnswer: watchRefusals,
      most: openFilesLimit() / 4,
    })
  : undefined;

let watching: ReturnType<typeof watchFiles> | undefined;
const methods = createMethods(config, {
  files,
  processes,
  pipes,
  terminals,
  sources,
  shortWays,
  asks,
  dials,
  counted,
  ends,
  names,
  tellChanges: () => watching?.tellNow(),
  lookSoon: () => watching?.lookSoon(),
});
const answer = answerRequests(methods, send);
host.on(
  "data",
  createFrameReader({
    onBroken: () => process.exit(1),
    onFrame({ header, body }) {
      portWatch?.stir();
      answer(header, body);
    },
  }),
);

const installSocket = config.env.TREADLE_INSTALL_SOCKET;
if (installSocket) asks.listen(installSocket);
if (config.env.TREADLE_DIALS) dials.listen(config.env.TREADLE_DIALS);
if (config.env.TREADLE_CODE) counted.listen(config.env.TREADLE_CODE);

// Without a sandbox, the temporary folder is shared by everyone.
if (config.ways.length > 0) keepCompiledCode(config.root, tmpdir());
if (config.headers !== undefined) offerHeaders(config.env.HOME!, config.headers);
if (config.trusted) writeFileSync(config.trusted.path, config.trusted.text);
if (config.npmrc !== "") writeFileSync(`${config.env.HOME}/.npmrc`, config.npmrc);
for (const { port, socket, isOptional } of config.ways) {
  const offered = offer(
    port,
    `${config.sockets}/${socket}`,
    socket === PROXY_SOCKET
      ? (bytes, clientPort) => watchRefusals(bytes, clientPort, { tcp: port })
      : undefined,
  );
  if (isOptional)
    await offered.catch(() => {
      own.splice(own.indexOf(port), 1);
    });
  else await offered;
}
portWatch = watchPorts({ processes, own, onPorts: (ports) => send({ kind: "ports", ports }) });
send({ kind: "ready", pid: process.pid, version: WIRE_VERSION });
watching = watchFiles(config.root, sources, {
  onChanges: (changes) => send({ kind: "files", changes }),
  onRepository: (atRoot) => send({ kind: "repository", atRoot }),
});
await watching.ready;
void sweepDrafts(config.root, Date.now() - performance.now());
