import type { AppAnswer, AppRequest } from "@treadle/protocol";
import { request, validateHeaderName, validateHeaderValue, type IncomingMessage } from "node:http";
import { ANSWER_HEAD_BYTES, ApiFailure, overTls, speaksTls } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import type { Duplex } from "node:stream";

/** Maximum number of bytes of an answer's body that are read. */
const MAX_BODY_BYTES = 256 * 1024;
const ANSWER_MS = 30_000;
/** Headers that the caller cannot set: they are written here, or by Node. */
const OWN_HEADERS = new Set(["connection", "content-length", "host", "transfer-encoding"]);

/**
 * Sends one request to a port of the project's sandbox and reads the answer. It reaches nothing outside of the sandbox, and
 * does not follow redirects.
 * @throws ApiFailure `bad-input` for a header that cannot be sent, `no-answer` if the app does not answer
 */
export async function askApp(
  workspace: Pick<Workspace, "connect">,
  asked: AppRequest,
  signal: AbortSignal,
): Promise<AppAnswer> {
  const headers = headersOf(asked);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const connect = () => workspace.connect(asked.port);
  try {
    try {
      return await send(await connect(), asked, headers, limit);
    } catch (error) {
      // A server that breaks off plain HTTP may speak HTTPS with a self-signed certificate.
      const broke = (error as NodeJS.ErrnoException).code !== undefined;
      if (limit.aborted || !broke || !(await speaksTls(connect))) throw error;
      return await send(overTls(await connect()), asked, headers, limit);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkspaceError && error.code !== "port") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiFailure(409, "no-answer", sentence("app-silent", { why: reason }));
  }
}

function headersOf({ port, headers, body }: AppRequest): string[] {
  const lines = ["host", `localhost:${port}`, "connection", "close"];
  if (body !== undefined) lines.push("content-length", String(Buffer.byteLength(body)));
  for (const [name, value] of headers) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new ApiFailure(400, "bad-input", sentence("header-invalid", { name }));
    }
    lines.push(name, value);
  }
  return lines;
}

async function send(
  socket: Duplex,
  { method, path, body }: AppRequest,
  headers: string[],
  signal: AbortSignal,
): Promise<AppAnswer> {
  const since = performance.now();
  try {
    return await new Promise<AppAnswer>((resolve, reject) => {
      socket.on("error", reject);
      const createConnection = () => socket;
      const options = { path, method, headers, createConnection, signal, maxHeaderSize: ANSWER_HEAD_BYTES }; // prettier-ignore
      const sent = request(options, (response) => {
        readAnswer(response).then(
          (answer) => resolve({ ...answer, ms: Math.round(performance.now() - since) }),
          reject,
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  } finally {
    socket.destroy();
  }
}

async function readAnswer(response: IncomingMessage): Promise<Omit<AppAnswer, "ms">> {
  const pieces: Buffer[] = [];
  let size = 0;
  let isCut = false;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    isCut = size > MAX_BODY_BYTES;
    if (isCut) break;
  }
  const bytes = Buffer.concat(pieces).subarray(0, MAX_BODY_BYTES);
  const headers: [string, string][] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2)
    headers.push([response.rawHeaders[index]!, response.rawHeaders[index + 1]!]);
  const text = textOf(bytes, isCut);
  return { status: response.statusCode ?? 0, headers, ...(text !== undefined && { text }), size: bytes.length, isCut }; // prettier-ignore
}

/** The bytes as text; undefined if they are not UTF-8 or contain a zero byte. */
function textOf(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // A character may have been cut in two.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
