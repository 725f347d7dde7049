/**
 * Maximum size of a browser's message, in bytes; a picture of a large page takes a few megabytes.
 */
export const MESSAGE_BYTES = 64 * 1024 * 1024;
/** Maximum size of its output, in bytes. */
const PRINTED_BYTES = 1024 * 1024;
/** Milliseconds between two checks whether the server is alive. */
const LOOK_MS = 500;

/**
 * A Node program between the browser's sandbox and its driver, outside of the sandbox: an attacker who escapes into the
 * browser controls its pipe, and the driver would process any message in the server's own process. An invalid or
 * endless message ends the browser and nothing else (A99). Arguments: the script that starts the sandbox, then those of
 * the browser. Descriptors 3 and 4 are the browser's.
 */
export const PIPE_GUARD = `
import { spawn } from "node:child_process";
import { Socket } from "node:net";

const [script, ...args] = process.argv.slice(2);
const child = spawn(script, args, { stdio: ["ignore", "pipe", "pipe", 3, "pipe"] });
const out = new Socket({ fd: 4, readable: false, writable: true });
const end = (why) => {
  process.stderr.write(why + "\\n");
  child.kill("SIGKILL");
  process.exit(1);
};
child.on("error", (error) => end(error.message));
out.on("error", () => end("Nobody reads what the browser says."));
const server = process.ppid;
setInterval(() => process.ppid === server || end("The server is gone."), ${LOOK_MS}).unref();

const isName = (value) => value === undefined || typeof value === "string";
const isMessage = (text) => {
  try {
    const { id, method, sessionId, params } = JSON.parse(text);
    const isEvent = typeof method === "string" && (params === undefined || (typeof params === "object" && params !== null));
    return isName(sessionId) && isName(method) && (id === undefined ? isEvent : Number.isSafeInteger(id));
  } catch {
    return false;
  }
};
let held = [];
let bytes = 0;
const from = child.stdio[4];
from.on("error", () => undefined);
from.on("data", (piece) => {
  for (let at = 0; at < piece.length; ) {
    const stop = piece.indexOf(0, at);
    const part = piece.subarray(at, stop === -1 ? piece.length : stop);
    bytes += part.length;
    if (bytes > ${MESSAGE_BYTES}) return end("The browser speaks without end.");
    held.push(part);
    if (stop === -1) break;
    const message = Buffer.concat([...held, Buffer.alloc(1)]);
    if (!isMessage(message.toString("utf8", 0, message.length - 1))) return end("The browser says what is no message.");
    if (!out.write(message)) from.pause();
    held = [];
    bytes = 0;
    at = stop + 1;
  }
});
out.on("drain", () => from.resume());

let printed = 0;
for (const [stream, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
  to.on("error", () => undefined);
  stream.on("data", (piece) => {
    const left = ${PRINTED_BYTES} - printed;
    printed += piece.length;
    if (left > 0) to.write(piece.subarray(0, left));
  });
}
child.on("close", (code) => out.end(() => process.exit(code ?? 1)));
`;
