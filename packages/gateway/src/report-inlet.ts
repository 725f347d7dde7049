import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { readReport, readStacks } from "./read-report.ts";

/** Maximum size of one report, in bytes. */
export const REPORT_LIMIT = 64 * 1024;

/**
 * Accepts one report of a probe: a POST of the page itself, never of another origin. `admit`
 * decides whether this preview may report now.
 * @returns the report, which the caller has to answer; undefined if it was refused
 */
export async function takeReport(
  request: IncomingMessage,
  response: ServerResponse,
  admit: () => boolean,
): Promise<PageReport | undefined> {
  return take(request, response, admit, readReport);
}

/** Accepts stacks to be located, in the same way. */
export const takeStacks = (
  request: IncomingMessage,
  response: ServerResponse,
  admit: () => boolean,
): Promise<string[] | undefined> => take(request, response, admit, readStacks);

async function take<T>(
  request: IncomingMessage,
  response: ServerResponse,
  admit: () => boolean,
  read: (body: string) => T | undefined,
): Promise<T | undefined> {
  if (!isOwnPost(request, response)) return undefined;
  if (!admit()) return refuse(response, 429);
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413);
  return read(body) ?? refuse(response, 400);
}

/** Whether the request is a POST of the page itself, never of another origin; answers others. */
export function isOwnPost(request: IncomingMessage, response: ServerResponse): boolean {
  const { host = "", origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (request.method !== "POST") refuse(response, 405);
  else if (origin?.replace(/^https?:\/\//, "") !== host.toLowerCase()) refuse(response, 403);
  else if (site !== undefined && site !== "same-origin") refuse(response, 403);
  else return true;
  return false;
}

function refuse(response: ServerResponse, status: number): undefined {
  // The rest of the body is not read.
  response.writeHead(status, { connection: "close", "cache-control": "no-store" }).end();
}

/** Returns the result to the probe's script, which passes it to the surrounding page. */
export function answerJson(response: ServerResponse, answer: unknown): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(answer));
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > REPORT_LIMIT) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
