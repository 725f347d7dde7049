import { createTokenBucket, type TokenBucket } from "@treadle/common";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readVisitReport, type VisitReport } from "./read-visit-report.ts";
import { REPORT_PATH, reportScript, SCRIPT_PATH } from "./report-script.ts";

/** Maximum size of one report, in bytes. */
const SIZE = 8 * 1024;
/** Reports per app: a burst, then a rate per second. Further ones are dropped unread. */
const RATE = { burst: 20, perSecond: 0.5 };

/** Whether a path is answered here, and never by the app. */
export const isVisitPath = (path: string): boolean =>
  path === REPORT_PATH || path.startsWith(`${SCRIPT_PATH}?`) || path === SCRIPT_PATH;

/**
 * Receives error reports from visitors' browsers. Anyone can post to it, so reports are small,
 * rate-limited and only parsed.
 */
export interface VisitInlet {
  /**
   * Answers a request for `isVisitPath`.
   * @param onReport called with the report, without personal data
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    onReport: (report: VisitReport) => void,
  ): void;
}

export function createVisitInlet(now?: () => number): VisitInlet {
  const buckets = new Map<string, TokenBucket>();

  function mayCome(key: string): boolean {
    const bucket = buckets.get(key) ?? createTokenBucket({ ...RATE, now });
    buckets.set(key, bucket);
    return bucket.take();
  }

  return {
    answer(request, response, key, onReport) {
      const end = (status: number) => {
        // The unread body would be taken for the next request.
        if (!request.complete) response.setHeader("connection", "close");
        response.writeHead(status, { "cache-control": "no-store" }).end();
      };
      if (request.url?.startsWith(SCRIPT_PATH)) {
        const release = Number(/\?(\d{1,9})$/.exec(request.url)?.[1] ?? 0);
        response
          .writeHead(200, {
            "content-type": "text/javascript; charset=utf-8",
            "cache-control": "public, max-age=86400",
            "x-content-type-options": "nosniff",
          })
          .end(request.method === "HEAD" ? undefined : reportScript(release));
        return;
      }
      if (request.method !== "POST") return end(405);
      const { host = "", origin } = request.headers;
      // A page of another origin is not one of this app.
      if (origin !== `http://${host}` && origin !== `https://${host}`) return end(403);
      if (Number(request.headers["content-length"] ?? 0) > SIZE) return end(413);
      if (!mayCome(key)) return end(429);
      const pieces: Buffer[] = [];
      let size = 0;
      request.on("data", (piece: Buffer) => {
        size += piece.length;
        if (size <= SIZE) pieces.push(piece);
        else if (!response.headersSent) end(413);
      });
      request.once("end", () => {
        if (response.headersSent) return;
        const report = readVisitReport(Buffer.concat(pieces).toString("utf8"), host);
        if (!report) return end(400);
        end(204);
        onReport(report);
      });
    },
  };
}
