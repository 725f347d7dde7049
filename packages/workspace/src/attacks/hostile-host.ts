/** What no host says, to a guest of its own: it answers each question once, or ends. */
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
import { oddBytes, pick, seeded, twist } from "./odd-frames.ts";

const ANSWER_MS = 20_000;
/** Bytes that a guest may have in memory after all of it. */
const MOST = 600 * 1024 * 1024;

const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);

/** One honest question of each kind that starts nothing. */
const ASKED: readonly [method: Method, params: object][] = [
  ["read", { path: "a" }],
  ["write", { path: "b/c" }],
  ["list", {}],
  ["search", { pattern: "x" }],
  ["list-raw", { path: "" }],
  ["manifest", {}],
  ["rename", { from: "a", to: "d" }],
  ["remove", { path: "b" }],
  ["read-open", { path: "a" }],
  ["read-next", { handle: 1 }],
  ["draft-open", { path: "e" }],
  ["draft-append", { handle: 2 }],
  ["draft-commit", { handle: 2 }],
  ["transfer-close", { handle: 1 }],
  ["kill", { process: "none" }],
  ["dial", { port: 1, token: "0".repeat(32) }],
  ["install-answer", { ask: 1, answer: { act: "done", code: 0 } }],
];

/** @returns what went wrong; undefined where nothing did */
export async function fuzzGuest(seed: number, frames: number): Promise<string | undefined> {
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
    env: { PATH: "/usr/bin:/bin", HOME: folder },
    secretKey: "00",
  };
  const server = createServer().listen(join(folder, "s/guest.sock"));
  await once(server, "listening");
  const words = [...GUEST_FLAGS, join(guest, "guest.mjs"), JSON.stringify(config)];
  // In a process table of its own: what it is asked to end must be its own whatever it makes of the question.
  const alone = "--dev-bind / / --unshare-pid --proc /proc --die-with-parent --".split(" ");
  const child = spawn("bwrap", [...alone, node, ...words], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-2_000)));
  const exited = once(child, "exit") as Promise<[number | null, string | null]>;
  try {
    const [socket] = (await once(server, "connection")) as [Socket];
    socket.on("error", () => undefined);
    return await speak(socket, child.pid!);
  } finally {
    child.kill("SIGKILL");
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  async function speak(socket: Socket, pid: number): Promise<string | undefined> {
    const ready = Promise.withResolvers<void>();
    const answered = new Map<number, number>();
    let problem: string | undefined;
    let due: { id: number; resolve(): void } | undefined;
    socket.on(
      "data",
      createFrameReader<GuestMessage | GuestReply>({
        onBroken: (why) => (problem ??= `it sent what is no frame: ${why}`),
        onFrame({ header }) {
          if (header.kind === "ready") ready.resolve();
          if (header.kind !== "reply") return;
          const count = (answered.get(header.id) ?? 0) + 1;
          answered.set(header.id, count);
          if (header.id === due?.id) due.resolve();
        },
      }),
    );
    await ready.promise;
    for (let id = 1; id <= frames; id++) {
      const [method, params] = pick(random, ASKED);
      // What can be told from noise is answered; noise ends it.
      const header = { id, method, params: random() < 0.8 ? twist(random, params) : params };
      socket.write(Buffer.concat(encodeFrame(header, Buffer.from("body"))));
      const answer = Promise.withResolvers<void>();
      due = { id, resolve: answer.resolve };
      const late = Promise.withResolvers<string>();
      const timer = setTimeout(late.resolve, ANSWER_MS, `${method} was not answered`);
      const how = await Promise.race([
        answer.promise,
        late.promise,
        exited.then(([code]) => `it ended with ${code} at ${JSON.stringify(header)}: ${said}`),
      ]);
      clearTimeout(timer);
      if (problem ?? how) return problem ?? (how as string);
    }
    for (const [id, count] of answered) if (count > 1) return `${id} was answered ${count} times`;
    const guestPid = childOf(childOf(pid));
    const kilobytes = Number(
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${guestPid}/status`, "utf8"))?.[1],
    );
    if (kilobytes * 1024 > MOST) return `it grew to ${kilobytes} KB`;
    // Now noise: it ends, in good order.
    for (let sent = 0; sent < 50; sent++) socket.write(oddBytes(random, twist(random, {})));
    socket.end();
    const [code, signal] = await exited;
    return code === null || code > 1 ? `noise ended it with ${code ?? signal}: ${said}` : undefined;
  }
}
