/** Sends malformed requests to a guest, which has to answer each once or exit. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GUEST_FLAGS } from "../guest-workspace/sandbox-environment.ts";
import { findInstallation } from "../host/installation.ts";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import type { GuestConfig } from "../wire/config.ts";
import type { GuestMessage, GuestReply } from "../wire/messages.ts";
import type { Method } from "../wire/requests.ts";
import { WIRE_VERSION } from "../wire/version.ts";
import type { Fuzzed } from "./hostile-guest.ts";
import { ASKED, leftBehind } from "./honest-questions.ts";
import { oddBytes, pick, seeded, twist } from "./odd-frames.ts";

const ANSWER_MS = 20_000;
/** Maximum memory of a guest in bytes, whatever request it receives. */
const MOST = 600 * 1024 * 1024;

const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);

/** A guest, and a host that sends it malformed requests. */
export interface OddHost {
  /**
   * Sends this many requests, each after the response to the previous one, and then releases what
   * they left open.
   */
  ask(questions: number): Promise<Fuzzed>;
  /** The guest's memory in bytes. */
  memory(): number;
  /** Sends noise, on which the guest must exit cleanly. */
  endByNoise(): Promise<Fuzzed>;
  end(): void;
}

/** @throws if bubblewrap or the built guest is missing */
export async function createOddHost(seed: number): Promise<OddHost> {
  const random = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "treadle-fuzz-"));
  for (const name of ["root", "s"]) mkdirSync(join(folder, name));
  const { node, guest, ripgrep } = findInstallation();
  const config: GuestConfig = {
    version: WIRE_VERSION,
    root: join(folder, "root"),
    sockets: join(folder, "s"),
    ways: [],
    npmrc: "",
    ripgrep,
    env: { PATH: "/usr/bin:/bin", HOME: join(folder, "root") },
    secretKey: "00",
  };
  const server = createServer().listen(join(folder, "s/guest.sock"));
  await once(server, "listening");
  const words = [...GUEST_FLAGS, join(guest, "guest.mjs"), JSON.stringify(config)];
  // The guest may only kill its own processes and write its own files, however it interprets a
  // request.
  const alone =
    "--ro-bind / / --dev /dev --unshare-pid --unshare-net --proc /proc --die-with-parent";
  const child = spawn(
    "bwrap",
    [...alone.split(" "), "--bind", folder, folder, "--", node, ...words],
    { env: { PATH: process.env.PATH }, stdio: ["ignore", "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => (stderr = (stderr + bytes.toString()).slice(-2_000)));
  const exited = once(child, "exit") as Promise<[number | null, string | null]>;
  const [socket] = (await Promise.race([
    once(server, "connection"),
    exited.then(() => Promise.reject(new Error(`no guest: ${stderr}`))),
  ])) as [Socket];
  socket.on("error", () => undefined);

  const ready = Promise.withResolvers<void>();
  const answered = new Map<number, number>();
  const handles = new Set<number>();
  let problem: string | undefined;
  let due: { id: number; resolve(how?: string): void } | undefined;
  let id = 0;
  socket.on(
    "data",
    createFrameReader<GuestMessage | GuestReply>({
      onBroken: (why) => (problem ??= `it sent what is no frame: ${why}`),
      onFrame({ header }) {
        if (header.kind === "ready") ready.resolve();
        if (header.kind !== "reply") return;
        const count = (answered.get(header.id) ?? 0) + 1;
        answered.set(header.id, count);
        if (count > 1) problem ??= `${header.id} was answered ${count} times`;
        if (header.ok) for (const handle of handlesIn(header.result)) handles.add(handle);
        if (header.id === due?.id) due.resolve();
      },
    }),
  );
  await ready.promise;
  let gone: string | undefined;
  void exited.then(([code]) => {
    gone = `it ended with ${code}: ${stderr}`;
    due?.resolve(gone);
  });

  async function send(method: Method, params: unknown): Promise<string | undefined> {
    const header = { id: ++id, method, params };
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    due = { id, resolve };
    if (gone !== undefined) resolve(gone);
    socket.write(Buffer.concat(encodeFrame(header, Buffer.from("body"))));
    const timer = setTimeout(resolve, ANSWER_MS, "it was not answered");
    const how = await promise;
    clearTimeout(timer);
    return problem ?? (how && `${how}: ${JSON.stringify(header).slice(0, 2_000)}`);
  }

  const memory = () => {
    const status = readFileSync(`/proc/${childOf(childOf(child.pid!))}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  };

  return {
    memory,
    async ask(questions) {
      const first = id;
      for (let asked = 0; asked < questions; asked++) {
        const [method, params] = pick(random, ASKED);
        const how = await send(method, random() < 0.8 ? twist(random, params) : params);
        if (how !== undefined) return { frames: id - first, problem: how };
      }
      for (const [method, params] of leftBehind([...handles])) {
        const how = await send(method, params);
        if (how !== undefined) return { frames: id - first, problem: how };
      }
      handles.clear();
      answered.clear();
      const bytes = memory();
      return {
        frames: id - first,
        problem: bytes > MOST ? `it grew to ${bytes} bytes` : undefined,
      };
    },
    async endByNoise() {
      const frames = 50;
      for (let sent = 0; sent < frames; sent++) socket.write(oddBytes(random, twist(random, {})));
      socket.end();
      const [code, signal] = await exited;
      const ill = code === null || code > 1;
      return {
        frames,
        problem: ill ? `noise ended it with ${code ?? signal}: ${stderr}` : undefined,
      };
    },
    end() {
      child.kill("SIGKILL");
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const handlesIn = (result: unknown): number[] =>
  typeof result === "object" && result !== null && "handle" in result
    ? [Number(result.handle)]
    : [];

/** Tests a new guest with this many malformed requests, then with noise. */
export async function fuzzGuest(seed: number, questions: number): Promise<Fuzzed> {
  const host = await createOddHost(seed);
  try {
    const asked = await host.ask(questions);
    if (asked.problem !== undefined) return asked;
    const noise = await host.endByNoise();
    return { frames: asked.frames + noise.frames, problem: noise.problem };
  } finally {
    host.end();
  }
}
