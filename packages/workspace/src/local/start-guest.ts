import { createLifecycle } from "@treadle/protocol/lifecycle";
import { sentence } from "@treadle/protocol/sentences";
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuestEnds, MAX_STREAMS, type GuestLink } from "../guest-workspace/guest-link.ts";
import type { GuestMessage } from "../wire/messages.ts";
import { WorkspaceError } from "../types.ts";
import { endMarked } from "./end-marked.ts";
import { allGone, firstChild, firstProcess, isStopped } from "./first-process.ts";
import {
  guestEndTransition,
  type GuestEndEffect,
  type GuestEndEvent,
  type GuestEndPhase,
} from "./guest-end-lifecycle.ts";

/** Time limit for a guest without a sandbox to kill its processes, in milliseconds; the rest is ended after it. */
const LEAVE_MS = 3_000;

/** A guest launched on this machine. */
export interface LaunchedGuest extends GuestLink {
  /** Pid of the launcher, which represents the sandbox. */
  readonly pid: number;
}

/**
 * Creates a folder for the host's sockets. Its path is short, since a unix socket's path is limited
 * to 107 characters.
 */
export function makeSocketFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `treadle-${process.pid}-`));
  // The folder is closed to other users of the host; its sockets are open to the sandbox's uid,
  // which reaches them through a mount.
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
 * Starts a guest and waits for its first message. Rejects with WorkspaceError `sandbox` and the
 * launcher's output if it does not start.
 * @param onMessage receives every message that is not a response
 */
export async function startGuest(options: {
  command: { file: string; args: string[]; env: Record<string, string>; cwd?: string };
  folder: string;
  /**
   * Without a sandbox, nothing ends the guest's processes with it: it is asked to end them, and what it left is found by
   * this value of `TREADLE_WORKSPACE` in its environment.
   */
  mark?: string | undefined;
  onMessage: (message: GuestMessage, body: Uint8Array) => void;
}): Promise<LaunchedGuest> {
  const { folder, command, mark } = options;
  const ends = createGuestEnds({
    onMessage: options.onMessage,
    onBroken: () => end.send("kill"),
    isStopped: () => guest !== undefined && isStopped(guest),
  });
  const controlServer = createServer(ends.takeControl);
  const streamServer = createServer({ allowHalfOpen: true }, ends.takeStream);
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
  child.once("error", (error) => {
    words += error.message;
    end.send("exited");
  });
  child.once("exit", () => end.send("exited"));

  let first: number | undefined;
  let guest: number | undefined;
  const gone = Promise.withResolvers<void>();
  const end = createLifecycle<GuestEndPhase, GuestEndEvent, GuestEndEffect>(
    "running",
    guestEndTransition,
    (effect) => {
      switch (effect) {
        case "ask-to-leave": {
          ends.letGo();
          const overdue = setTimeout(() => end.send("overdue"), LEAVE_MS);
          void gone.promise.then(() => clearTimeout(overdue));
          return;
        }
        case "kill":
          return void child.kill("SIGKILL");
        case "sweep": {
          const swept = mark === undefined ? allGone(first) : endMarked(mark);
          return void swept.then(() => end.send("swept"));
        }
        case "release":
          controlServer.close();
          streamServer.close();
          rmSync(folder, { recursive: true, force: true });
          ends.gone();
          return gone.resolve();
      }
    },
  );
  const ended = gone.promise;
  const why = await ends.whenReady(ended, () => words);
  if (why !== undefined) {
    end.send("kill");
    await ended;
    throw new WorkspaceError("sandbox", sentence("sandbox-not-started", { why }));
  }

  first = firstProcess(child.pid!);
  guest = mark !== undefined ? child.pid : first && firstChild(first);

  return {
    pid: child.pid!,
    request: ends.request,
    dial: ends.dial,
    atRest: ends.atRest,
    ended,
    end() {
      end.send(mark === undefined ? "kill" : "leave");
      return ended;
    },
  };
}
