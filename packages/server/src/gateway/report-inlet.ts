import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { readReport } from "./read-report.ts";

/** Bytes of one report. */
export const REPORT_LIMIT = 64 * 1024;

/**
 * Takes one report of a probe: a POST of the page itself, never of another origin's. `admit` says whether this preview
 * may report now.
 * @returns the report, which is to be answered; undefined where that was done
 */
export async function takeReport(
  request: IncomingMessage,
  response: ServerResponse,
  admit: () => boolean,
): Promise<PageReport | undefined> {
  const refuse = (status: number) => {
    // The rest of a body that nobody wants is not waited for.
    response.writeHead(status, { connection: "close", "cache-control": "no-store" }).end();
    return undefined;
  };
  const { host = "", origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (request.method !== "POST") return refuse(405);
  if (origin?.replace(/^https?:\/\//, "") !== host.toLowerCase()) return refuse(403);
  if (site !== undefined && site !== "same-origin") return refuse(403);
  if (!admit()) return refuse(429);
  const body = await readBody(request);
  if (body === undefined) return refuse(413);
  const report = readReport(body);
  if (report === undefined) return refuse(400);
  return report;
}

/** Gives the probe what was made of its report: it tells the page around it. */
export function answerReport(response: ServerResponse, report: PageReport): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(report));
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
