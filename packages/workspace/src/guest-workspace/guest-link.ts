import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import { FrameError } from "../wire/checks.ts";
import { readGuestMessage, type GuestMessage } from "../wire/messages.ts";
import {
  readResult,
  type GuestRequest,
  type Method,
  type Params,
  type Result,
} from "../wire/requests.ts";
import { otherVersionWords, WIRE_VERSION } from "../wire/version.ts";
import { WorkspaceError } from "../types.ts";

/** A guest that has not reported by then will not. */
const START_MS = 20_000;
/** A program inside that does not take its connection by then is hung. */
const DIAL_MS = 10_000;

/**
 * A guest that has not answered a question by then never will: what runs beside it may stop it for good. The longest
 * answers are a matter of seconds, on a machine that is busy as well.
 */
export const ANSWER_MS = 180_000;
/** How often it is looked whether a guest that owes an answer was stopped: twice in a row is for good. Milliseconds. */
export const STOPPED_MS = 5_000;
/** Additional milliseconds for reading messages that arrived while this process was busy. */
export const LATE_MS = 5_000;

/** Who still reads or writes a file by then is slow without end. */
const REST_MS = 5_000;

/** Connections into one sandbox at a time; every one costs the server, and generated code could open them without end. */
export const MAX_STREAMS = 256;

/** Characters of a dial's token. */
const TOKEN_LENGTH = 32;

/** Asks the guest for something. Rejects with WorkspaceError, in the guest's words or because it is gone. */
export type Request = <M extends Method>(
  method: M,
  params: Params<M>,
  body?: Uint8Array,
) => Promise<{ result: Result<M>; body: Uint8Array }>;

/** Who waits for an answer: `settle` reads it, and throws where it is none. */
interface Waiting {
  /** Milliseconds, monotonic. */
  askedAt: number;
  settle(result: unknown, body: Uint8Array): void;
  reject(error: Error): void;
}

/** The running guest, as the host sees it. */
export interface GuestLink {
  request: Request;
  /** A byte stream to a port inside. */
  dial(port: number): Promise<Duplex>;
  /** Resolves when the sandbox has ended for any reason. */
  readonly ended: Promise<void>;
  /** Resolves when nobody waits for an answer and no file is half passed on; in 5 seconds at the latest. */
  atRest(): Promise<void>;
  /** Kills it, and with it everything inside. */
  end(): Promise<void>;
}

/** The host's ends of a guest's connections, however they reach the host. */
export interface GuestEnds {
  request: Request;
  dial: GuestLink["dial"];
  atRest: GuestLink["atRest"];
  /** Takes the guest's one connection for requests and messages. */
  takeControl(socket: Duplex): void;
  /** Takes a connection that answers a dial. */
  takeStream(socket: Duplex): void;
  /**
   * Waits for the guest's first message, or for `ended`.
   * @param words the launcher's output
   * @returns undefined, or a sentence about why it is unusable
   */
  whenReady(ended: Promise<void>, words: () => string): Promise<string | undefined>;
  /** Lets the guest go: it ends, where it can, with all that it started. */
  letGo(): void;
  /** Must be called when the sandbox has ended; rejects all pending requests. */
  gone(): void;
}

/**
 * @param onMessage receives every message that is not a reply
 * @param onBroken the guest violates the protocol: generated code has replaced it
 * @param isStopped whether its process is stopped, if known: it will never answer on its own
 */
export function createGuestEnds(options: {
  onMessage(message: GuestMessage, body: Uint8Array): void;
  onBroken(): void;
  isStopped?(): boolean;
}): GuestEnds {
  const waiting = new Map<number, Waiting>();
  let watch: NodeJS.Timeout | undefined;

  /** Looks after the oldest question, for as long as there is one (A98). */
  function watchOldest(): void {
    const [oldest] = waiting;
    if (watch !== undefined || !oldest) return;
    const [id, { askedAt }] = oldest;
    const wait = (ms: number, then: () => void) => {
      watch = setTimeout(() => {
        watch = undefined;
        if (waiting.has(id)) then();
        else watchOldest();
      }, ms).unref();
    };
    const look = (wasStopped: boolean) => {
      const left = askedAt + ANSWER_MS - performance.now();
      if (left <= 0) return wait(LATE_MS, options.onBroken);
      wait(Math.min(left, STOPPED_MS), () => {
        const isStopped = options.isStopped?.() === true;
        if (isStopped && wasStopped) options.onBroken();
        else look(isStopped);
      });
    };
    look(false);
  }
  const dials = new Map<string, (socket: Duplex) => void>();
  /** Files that are read or written in pieces. */
  const transfers = new Set<string | number>();
  let resting: (() => void)[] = [];
  const look = () => {
    if (waiting.size > 0 || transfers.size > 0) return;
    for (const listener of resting) listener();
    resting = [];
  };
  let last = 0;
  let control: Duplex | undefined;
  const ready = Promise.withResolvers<{ version?: number | undefined }>();

  const request: Request = <M extends Method>(method: M, params: Params<M>, body?: Uint8Array) =>
    new Promise<{ result: Result<M>; body: Uint8Array }>((resolve, reject) => {
      if (!control || control.destroyed)
        return reject(new WorkspaceError("sandbox", "the sandbox has ended"));
      const id = ++last;
      let pieces: Uint8Array[];
      try {
        pieces = encodeFrame({ id, method, params } satisfies GuestRequest<M>, body);
      } catch (error) {
        return reject(new WorkspaceError("too-large", (error as Error).message));
      }
      if (method === "transfer-close" && isTransfer(params)) transfers.delete(params.handle);
      waiting.set(id, {
        askedAt: performance.now(),
        settle(given, bytes) {
          const result = readResult(method, given);
          if (isTransfer(result)) transfers.add(result.handle);
          resolve({ result, body: bytes });
        },
        reject,
      });
      watchOldest();
      for (const piece of pieces) control.write(piece);
    });

  return {
    request,

    takeControl(socket) {
      // One guest speaks here; a second connection is generated code that found the socket.
      if (control) return void socket.destroy();
      control = socket;
      socket.on("error", () => undefined);
      socket.on(
        "data",
        createFrameReader({
          onBroken: options.onBroken,
          // What throws in here, and so all that a guest does not say, ends this sandbox and nothing else.
          onFrame({ header, body }) {
            const message = readGuestMessage(header);
            if (message.kind === "ready") return ready.resolve(message);
            if (message.kind !== "reply") return options.onMessage(message, body);
            const entry = waiting.get(message.id);
            if (!entry) throw new FrameError("a guest answers what nobody asked");
            if (message.ok) entry.settle(message.result, body);
            else entry.reject(new WorkspaceError(message.code, message.message, message.version));
            waiting.delete(message.id);
            look();
          },
        }),
      );
    },

    // A stream begins with the token of the dial that it answers; one with an unknown token is closed. The token is
    // read without making the socket flow, so that its new owner finds it unread.
    takeStream(socket) {
      socket.on("error", () => undefined);
      // A connection that does not send its token at once comes from generated code that found the socket.
      const overdue = setTimeout(() => socket.destroy(), DIAL_MS);
      socket.once("close", () => clearTimeout(overdue));
      const onReadable = () => {
        const token = socket.read(TOKEN_LENGTH) as Buffer | null;
        if (token === null) return;
        socket.off("readable", onReadable);
        clearTimeout(overdue);
        const take = dials.get(token.toString("latin1"));
        if (take) take(socket);
        else socket.destroy();
      };
      socket.on("readable", onReadable);
    },

    async whenReady(ended, words) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(() => resolve("late"), START_MS);
      });
      const outcome = await Promise.race([
        ready.promise,
        ended.then(() => "ended" as const),
        late,
      ]).finally(() => clearTimeout(timer));
      if (typeof outcome === "string") return words().trim() || outcome;
      if (outcome.version === WIRE_VERSION) return undefined;
      return otherVersionWords(outcome.version, WIRE_VERSION);
    },

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

    async atRest() {
      const { promise, resolve } = Promise.withResolvers<void>();
      resting.push(resolve);
      const timer = setTimeout(resolve, REST_MS);
      look();
      await promise;
      clearTimeout(timer);
    },

    letGo: () => void control?.destroy(),

    gone() {
      clearTimeout(watch);
      control?.destroy();
      const error = new WorkspaceError(
        "sandbox",
        "the sandbox ended; it is opened again when it is needed",
      );
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      transfers.clear();
      look();
    },
  };
}

const isTransfer = (value: unknown): value is { handle: string | number } =>
  typeof value === "object" && value !== null && "handle" in value;
