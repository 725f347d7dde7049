import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { ANSWER_HEAD_BYTES } from "@treadle/common";
import type { RequestTarget } from "@treadle/common";
import { admitProbe } from "./content-policy.ts";
import { injectProbe } from "./inject-probe.ts";
import { isDocumentRequest, isFramed, upstreamHeaders } from "./request-headers.ts";
import { asksForIsolation, browserHeaders, isolateDocument } from "./response-headers.ts";
import { statusWords } from "./status-words.ts";
import type { Rewriting } from "./types.ts";
import { isMarkdown, wrapMarkdown, wrappedType } from "./wrap-markdown.ts";

export interface ProxyOptions extends Rewriting {
  socket: Duplex;
  target: RequestTarget;
  /**
   * Markup to insert first in the head of documents.
   * @param isIsolated the app's server requests isolation of the page
   */
  tag(isIsolated: boolean): string;
  /** Called when the response of a page with scripts begins. */
  onPage(): void;
  /** Called if a page is refused: whether the app would serve it under the name that it expects. */
  isMisnamed(): Promise<boolean>;
}

/** Maximum number of listeners of a response; no response has as many. */
const RESPONSE_LISTENERS = 20;

/** The app would serve the page under another name. Thrown before the response has begun, so it can be repeated. */
export class Misnamed extends Error {
  override readonly name = "Misnamed";
}

/**
 * Forwards one request to the app over its own connection, and streams the answer back. Rejects only before the answer
 * has started; a later error cuts the answer off.
 */
export async function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  const { socket, admission } = options;
  const upstream = ask({
    method: request.method,
    path: options.target.text,
    headers: upstreamHeaders(request, options),
    setHost: false,
    createConnection: () => socket,
    maxHeaderSize: ANSWER_HEAD_BYTES,
  });
  const gone = () => upstream.destroy();
  response.on("close", gone);
  request.on("error", gone);
  request.pipe(upstream);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.on("response", resolve);
    // An error after the response concerns a body that the app did not read completely, and is ignored.
    upstream.on("error", reject);
    upstream.on("upgrade", (_, taken) => {
      taken.destroy();
      reject(new Error("an upgrade that nobody asked for"));
    });
  });
  if (answer.statusCode === 403 && request.method === "GET" && isDocumentRequest(request))
    if (await options.isMisnamed()) {
      answer.destroy();
      throw new Misnamed();
    }
  const isIsolated = asksForIsolation(answer);
  const steps = bodySteps(request, answer, { tag: options.tag(isIsolated), admission });
  const headers = browserHeaders(answer, request.headers.host ?? "", options);
  if (isIsolated && isFramed(request))
    headers["document-isolation-policy"] ??= isolateDocument(answer);
  if (steps.length > 0) {
    options.onPage();
    if (showsMarkdown(request, answer))
      headers["content-type"] = [wrappedType(answer.headers["content-type"] ?? "")];
    delete headers["content-length"];
    delete headers["content-encoding"];
    delete headers["content-md5"];
    delete headers.etag;
    delete headers["accept-ranges"];
  }
  response.writeHead(answer.statusCode ?? 502, statusWords(answer.statusMessage), headers);
  // An event stream may send nothing for a while, but its start must be visible.
  response.flushHeaders();
  // A pipeline alone adds seven listeners: Node would report a leak.
  response.setMaxListeners(RESPONSE_LISTENERS);
  // If either side disconnects, the other is closed as well.
  await pipeline([answer, ...steps, response]).catch(() => response.destroy());
}

/** Whether a frame receives Markdown, which the workbench renders but browsers do not. */
const showsMarkdown = (request: IncomingMessage, answer: IncomingMessage): boolean =>
  request.headers["sec-fetch-dest"] === "iframe" && isMarkdown(answer.headers);

/** The transform for the body: none, for an HTML document the probe, or for Markdown a document with it; after decompression if the app compresses anyway. */
function bodySteps(
  request: IncomingMessage,
  answer: IncomingMessage,
  { tag, admission }: { tag: string } & Pick<ProxyOptions, "admission">,
): Transform[] {
  const { statusCode = 0, headers } = answer;
  const type = (headers["content-type"] ?? "").toLowerCase();
  const isWrapped = showsMarkdown(request, answer);
  const isPage =
    /^\s*text\/html\s*(?:;|$)/.test(type) && !/charset\s*=\s*"?utf-?(?:16|32)/.test(type);
  if (!isWrapped && !isPage) return [];
  if (!isDocumentRequest(request) || [204, 206, 304].includes(statusCode)) return [];
  const inject = isWrapped
    ? wrapMarkdown(tag)
    : injectProbe({ tag, policy: (value) => admitProbe(value, admission) });
  switch ((headers["content-encoding"] ?? "identity").trim().toLowerCase()) {
    case "identity":
      return [inject];
    case "gzip":
    case "x-gzip":
      return [createGunzip(), inject];
    case "br":
      return [createBrotliDecompress(), inject];
    case "deflate":
      return [createInflate(), inject];
    case "zstd":
      return [createZstdDecompress(), inject];
    default:
      return [];
  }
}
