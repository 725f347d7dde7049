import { asSentence, sentence, type Sentence } from "@treadle/protocol/sentences";
import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import { FrameError } from "../wire/checks.ts";
import { readGuestMessage, sentenceOf, type GuestMessage } from "../wire/messages.ts";
import {
  readResult,
  type GuestRequest,
  type Method,
  type Params,
  type Result,
} from "../wire/requests.ts";
import { describeOtherVersion, WIRE_VERSION } from "../wire/version.ts";
import { WorkspaceError } from "../types.ts";

/** Time limit for the guest's first message. */
const START_MS = 20_000;
/** Time limit for a program in the sandbox to accept a connection; one that takes longer hangs. */
const DIAL_MS = 10_000;

/**
 * Time limit for a response; a guest that takes longer may have been stopped for good by a program
 * beside it. The slowest requests take seconds, even on a busy machine.
 */
export const ANSWER_MS = 180_000;
/**
 * Interval of the checks whether a guest with pending requests was stopped, in milliseconds. Two positive checks in a
 * row end the sandbox.
 */
export const STOPPED_MS = 5_000;
/** Additional milliseconds for reading messages that arrived while this process was busy. */
export const LATE_MS = 5_000;

/** Maximum time to wait for pending file transfers; slower ones are abandoned. */
const REST_MS = 5_000;

/**
 * Maximum number of concurrent connections into one sandbox: each costs the server memory, and
 * generated code could open any number.
 */
export const MAX_STREAMS = 256;

/** Length of a dial's token, in characters. */
const TOKEN_LENGTH = 32;

/**
 * Sends a request to the guest. Rejects with a WorkspaceError from the guest, or because it is
 * gone.
 */
export type Request = <M extends Method>(
  method: M,
  params: Params<M>,
  body?: Uint8Array,
) => Promise<{ result: Result<M>; body: Uint8Array }>;

/** A pending request: `settle` parses its response, and throws if it is invalid. */
interface Waiting {
  /** Milliseconds on the monotonic clock. */
  askedAt: number;
  settle(result: unknown, body: Uint8Array): void;
  reject(error: Error): void;
}

/** The running guest, as seen by the host. */
export interface GuestLink {
  request: Request;
  /** Opens a byte stream to a port in the sandbox. Rejects with `port` if no program accepts it in time. */
  dial(port: number): Promise<Duplex>;
  /** Resolves when the sandbox has ended for any reason. */
  readonly ended: Promise<void>;
  /** Resolves when no request is pending and no file transfer is open, after 5 seconds at most. */
  atRest(): Promise<void>;
  /** Kills the sandbox with everything in it. */
  end(): Promise<void>;
}

/** The host's side of a guest's connections, independent of the transport. */
export interface GuestEnds {
  request: Request;
  dial: GuestLink["dial"];
  atRest: GuestLink["atRest"];
  /** Accepts the guest's only connection for requests and messages. */
  takeControl(socket: Duplex): void;
  /** Accepts a connection that answers a dial. */
  takeStream(socket: Duplex): void;
  /**
   * Waits for the guest's first message, or for `ended`.
   * @param words the launcher's output
   * @returns undefined, or a message explaining why the guest is unusable
   */
  whenReady(ended: Promise<void>, words: () => string): Promise<Sentence | undefined>;
  /** Disconnects from the guest, which then exits, if it can, with everything it started. */
  letGo(): void;
  /** Must be called when the sandbox has ended; rejects all pending requests. */
  gone(): void;
}

/**
 * Creates the host's side of a guest's connections.
 * @param options.onMessage receives every message that is not a reply
 * @param options.onBroken the guest violates the protocol: generated code has replaced it
 * @param options.isStopped whether the guest's process is stopped, if known: it will never answer on its own
 */
export function createGuestEnds(options: {
  onMessage(message: GuestMessage, body: Uint8Array): void;
  onBroken(): void;
  isStopped?(): boolean;
}): GuestEnds {
  const waiting = new Map<number, Waiting>();
  let watch: NodeJS.Timeout | undefined;

  /** Watches the oldest pending request, as long as there is one (A98). */
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
  /** Open file transfers. */
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
        return reject(new WorkspaceError("sandbox", sentence("sandbox-ended")));
      const id = ++last;
      let pieces: Uint8Array[];
      try {
        pieces = encodeFrame({ id, method, params } satisfies GuestRequest<M>, body);
      } catch (error) {
        return reject(
          new WorkspaceError(
            "too-large",
            sentence("sandbox-message-too-large", { why: (error as Error).message }),
          ),
        );
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
      // The guest has one control connection; a second one is from generated code that found the
      // socket.
      if (control) return void socket.destroy();
      control = socket;
      socket.on("error", () => undefined);
      socket.on(
        "data",
        createFrameReader({
          onBroken: options.onBroken,
          // Errors thrown here, for any invalid message, end this sandbox and nothing else.
          onFrame({ header, body }) {
            const message = readGuestMessage(header);
            if (message.kind === "ready") return ready.resolve(message);
            if (message.kind !== "reply") return options.onMessage(message, body);
            const entry = waiting.get(message.id);
            if (!entry) throw new FrameError("a guest answers what nobody asked");
            if (message.ok) entry.settle(message.result, body);
            else
              entry.reject(new WorkspaceError(message.code, sentenceOf(message), message.version));
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
      // A connection that does not send its token in time comes from generated code that found the socket.
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
      if (typeof outcome === "string") {
        const printed = words().trim();
        if (printed !== "") return asSentence(printed);
        return outcome === "late"
          ? sentence("sandbox-start-late", { seconds: START_MS / 1000 })
          : sentence("sandbox-start-ended");
      }
      if (outcome.version === WIRE_VERSION) return undefined;
      return describeOtherVersion(outcome.version, WIRE_VERSION);
    },

    async dial(port) {
      const token = randomBytes(TOKEN_LENGTH / 2).toString("hex");
      let overdue: NodeJS.Timeout | undefined;
      const stream = new Promise<Duplex>((resolve, reject) => {
        dials.set(token, resolve);
        overdue = setTimeout(
          () => reject(new WorkspaceError("port", sentence("port-refuses", { port }))),
          DIAL_MS,
        );
      });
      stream.catch(() => undefined);
      try {
        await request("dial", { port, token });
        return await stream;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code !== "failed") throw error;
        throw new WorkspaceError("port", sentence("port-silent", { port }));
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
      const error = new WorkspaceError("sandbox", sentence("sandbox-ended-reopens"));
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      transfers.clear();
      look();
    },
  };
}

const isTransfer = (value: unknown): value is { handle: string | number } =>
  typeof value === "object" && value !== null && "handle" in value;
