import type { IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import WebSocket, { type ClientOptions } from "ws";
import { ApiFailure } from "./api-failure.ts";

/** A program that runs in a container. */
export interface Executed {
  /** Its standard output and input. Ending or destroying it closes the connection, and ends the program's input. */
  readonly stream: Duplex;
  /** The exit code; 137 if the connection broke earlier. */
  readonly exited: Promise<number>;
}

/** Channels of the protocol: the first byte of each message. */
const [STDIN, STDOUT, STDERR, STATUS] = [0, 1, 2, 3];

/** Milliseconds between pings, so that nothing in between takes the connection for idle. */
const PING_MS = 20_000;

/** Time limit for the connection, in milliseconds. */
const OPEN_MS = 30_000;

/** The longest message to the program, in bytes. */
const MAX_MESSAGE = 64 * 1024;

/** What the API server says about how a program ended. */
interface ExecStatus {
  status?: string;
  details?: { causes?: { reason?: string; message?: string }[] };
}

/**
 * Executes a program in a pod over a WebSocket. A program that prints faster than it is read is made to wait.
 * Rejects with ApiFailure if the API server refuses.
 */
export function openExec(
  url: URL,
  options: ClientOptions,
  onStderr: (bytes: Buffer) => void,
): Promise<Executed> {
  const socket = new WebSocket(url, ["v5.channel.k8s.io", "v4.channel.k8s.io"], {
    ...options,
    perMessageDeflate: false,
    handshakeTimeout: OPEN_MS,
  });
  let code: number | undefined;
  const stream = new Duplex({
    read: () => socket.resume(),
    write(chunk: Buffer, _, done) {
      for (let at = MAX_MESSAGE; at < chunk.length; at += MAX_MESSAGE)
        socket.send(onChannel(STDIN!, chunk.subarray(at - MAX_MESSAGE, at)));
      const rest = (Math.ceil(chunk.length / MAX_MESSAGE) - 1) * MAX_MESSAGE;
      socket.send(onChannel(STDIN!, chunk.subarray(rest)), done);
    },
    final(done) {
      socket.close();
      done();
    },
    destroy(error, done) {
      socket.terminate();
      done(error);
    },
  });
  const exited = new Promise<number>((resolve) => {
    socket.once("close", () => resolve(code ?? 137));
  });
  socket.on("message", (data: Buffer) => {
    const body = data.subarray(1);
    if (data[0] === STDERR) onStderr(body);
    else if (data[0] === STATUS) code = exitCode(JSON.parse(body.toString()) as ExecStatus);
    else if (data[0] === STDOUT && body.length > 0 && !stream.push(body)) socket.pause();
  });
  const pings = setInterval(() => socket.ping(), PING_MS);
  socket.once("close", () => {
    clearInterval(pings);
    // What was not read yet stays readable.
    stream.push(null);
    stream.end();
  });

  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve({ stream, exited }));
    socket.on("error", reject);
    socket.once("unexpected-response", (_, response: IncomingMessage) => {
      void text(response)
        .catch(() => "")
        .then((body) => reject(new ApiFailure(response.statusCode ?? 0, body.slice(0, 600))))
        .finally(() => socket.terminate());
    });
  });
}

const onChannel = (channel: number, bytes: Buffer) => Buffer.concat([Buffer.of(channel), bytes]);

function exitCode({ status, details }: ExecStatus): number {
  if (status === "Success") return 0;
  const cause = details?.causes?.find(({ reason }) => reason === "ExitCode");
  return cause ? Number(cause.message) : 137;
}
