import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import type { GuestMessage } from "../wire/types.ts";
import { WorkspaceError } from "../types.ts";

/** A guest that has not reported by then will not. */
const START_MS = 20_000;
/** A program inside that does not take its connection by then is hung. */
const DIAL_MS = 10_000;

/** For the guest to end what it started. */
const TIDY_MS = 3_000;

/** Connections into one sandbox at a time. */
const MAX_STREAMS = 256;

/** Characters of a dial's token. */
const TOKEN_LENGTH = 32;

type Reply = { result: unknown; body: Uint8Array };

/** The running guest, as the host sees it. */
export interface GuestLink {
  /** Pid of the launcher and so of the sandbox. */
  readonly pid: number;
  request(method: string, params?: object, body?: Uint8Array): Promise<Reply>;
  /** A byte stream to a port inside. */
  dial(port: number): Promise<Duplex>;
  /** Resolves when the sandbox is gone, whoever ended it. */
  readonly ended: Promise<void>;
  /** Kills it, and with it everything inside. */
  end(): Promise<void>;
}

/** Folder for the host's sockets. Short, since a unix socket's path may have at most 107 characters. */
export function makeSocketFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `treadle-${process.pid}-`));
  // The folder is closed to other users of the host; the sockets in it are open to the sandbox's uid, which gets the
  // folder by a mount and not by its path.
  mkdirSync(join(folder, "s"), { mode: 0o755 });
  return folder;
}

export function listenOn(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      chmodSync(path, 0o666);
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Starts a guest and waits until it speaks.
 * @param onMessage everything it says by itself
 * Rejects with WorkspaceError `sandbox` and the launcher's own words when it does not come up.
 */
export async function startGuest(options: {
  command: { file: string; args: string[]; env: Record<string, string>; cwd?: string };
  folder: string;
  /** Nothing but the guest ends what it started: it is let go instead of killed. */
  tidies?: boolean;
  onMessage: (message: GuestMessage, body: Uint8Array) => void;
}): Promise<GuestLink> {
  const { folder, command } = options;
  const waiting = new Map<
    number,
    { resolve: (reply: Reply) => void; reject: (e: Error) => void }
  >();
  const dials = new Map<string, (socket: Socket) => void>();
  let last = 0;
  let control: Socket | undefined;
  let ready: () => void;
  const isReady = new Promise<void>((resolve) => (ready = resolve));

  const controlServer = createServer((socket) => {
    // One guest speaks here; a second connection is generated code that found the socket.
    if (control) return void socket.destroy();
    control = socket;
    socket.on("error", () => undefined);
    socket.on(
      "data",
      createFrameReader<GuestMessage>({
        onBroken: () => child.kill("SIGKILL"),
        onFrame({ header, body }) {
          if (header.kind === "reply") {
            const entry = waiting.get(header.id);
            waiting.delete(header.id);
            if (header.ok) entry?.resolve({ result: header.result, body });
            else entry?.reject(new WorkspaceError(header.code, header.message, header.version));
          } else if (header.kind === "ready") ready();
          else options.onMessage(header, body);
        },
      }),
    );
  });
  // A stream begins with the token of the dial that it answers; one that nobody asked for is closed. It is read without
  // making the socket flow, so that whoever takes it over finds it as if new.
  const streamServer = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    // Whoever does not say at once what it answers is generated code that found the socket.
    socket.setTimeout(DIAL_MS, () => socket.destroy());
    const onReadable = () => {
      const token = socket.read(TOKEN_LENGTH) as Buffer | null;
      if (token === null) return;
      socket.off("readable", onReadable);
      socket.setTimeout(0).removeAllListeners("timeout");
      const take = dials.get(token.toString("latin1"));
      if (take) take(socket);
      else socket.destroy();
    };
    socket.on("readable", onReadable);
  });
  // Every connection costs the server a descriptor, and generated code could open them without end.
  streamServer.maxConnections = MAX_STREAMS;
  await listenOn(controlServer, join(folder, "s", "guest.sock"));
  await listenOn(streamServer, join(folder, "s", "stream.sock"));

  const child: ChildProcess = spawn(command.file, command.args, {
    env: command.env,
    cwd: command.cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (bytes: Buffer) => {
      if (words.length < 4_000) words += bytes.toString();
    });
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      words += error.message;
      resolve();
    });
    child.once("exit", () => resolve());
  }).then(() => {
    controlServer.close();
    streamServer.close();
    control?.destroy();
    rmSync(folder, { recursive: true, force: true });
    const gone = new WorkspaceError(
      "sandbox",
      "the sandbox ended; it is opened again when it is needed",
    );
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  });

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), START_MS);
  });
  const outcome = await Promise.race([isReady, ended.then(() => "ended" as const), late]);
  clearTimeout(timer);
  if (outcome !== undefined) {
    child.kill("SIGKILL");
    await ended;
    throw new WorkspaceError("sandbox", `the sandbox did not start: ${words.trim() || outcome}`);
  }

  const request: GuestLink["request"] = (method, params = {}, body) =>
    new Promise((resolve, reject) => {
      if (!control || control.destroyed)
        return reject(new WorkspaceError("sandbox", "the sandbox has ended"));
      const id = ++last;
      let pieces: Uint8Array[];
      try {
        pieces = encodeFrame({ id, method, params }, body);
      } catch (error) {
        return reject(new WorkspaceError("too-large", (error as Error).message));
      }
      waiting.set(id, { resolve, reject });
      for (const piece of pieces) control.write(piece);
    });

  return {
    pid: child.pid!,
    request,
    ended,
    async dial(port) {
      const token = randomBytes(TOKEN_LENGTH / 2).toString("hex");
      let overdue: NodeJS.Timeout | undefined;
      const stream = new Promise<Duplex>((resolve, reject) => {
        dials.set(token, resolve);
        overdue = setTimeout(
          () => reject(new WorkspaceError("port", `port ${port} does not take connections`)),
          DIAL_MS,
        );
      });
      stream.catch(() => undefined);
      try {
        await request("dial", { port, token });
        return await stream;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code !== "failed") throw error;
        throw new WorkspaceError(
          "port",
          `nothing listens on port ${port} in this project's sandbox`,
        );
      } finally {
        clearTimeout(overdue);
        dials.delete(token);
      }
    },
    async end() {
      if (options.tidies) {
        control?.destroy();
        const hung = setTimeout(() => child.kill("SIGKILL"), TIDY_MS);
        await ended.finally(() => clearTimeout(hung));
        return;
      }
      child.kill("SIGKILL");
      await ended;
    },
  };
}
