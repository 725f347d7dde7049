import type { IncomingMessage, ServerResponse } from "node:http";
import {
  DRAWN_PATH,
  PLACES_PATH,
  PROBE_PATH,
  REPORT_PATH,
  STATE_PATH,
  WATCH_PATH,
} from "@treadle/probe";
import { answerScript, type OwnScript } from "./answer-script.ts";
import { createPlacer } from "./place-report.ts";
import type { createPortProtocols } from "./port-protocol.ts";
import type { PreviewHost } from "@treadle/common";
import { answerJson, isOwnPost, takeReport, takeStacks } from "./report-inlet.ts";
import { createReportRate } from "./report-rate.ts";
import { awake, choosePort, WAKE_MS } from "./target-port.ts";
import type { PreviewTarget } from "./types.ts";

/** Rate limit of one project's reports: a reload with errors sends three. */
const REPORTS = { burst: 16, perSecond: 8 };
/** Rate limit of one project's requests for source positions. A person who points at elements makes one per element. */
const PLACES = { burst: 20, perSecond: 6 };

/**
 * Answers the gateway's own paths in every preview (`isOwnPath`): its scripts, whether the app is
 * up, reports.
 */
export function createOwnAnswers(
  ports: Pick<ReturnType<typeof createPortProtocols>, "connect">,
  originOf: (host: string) => string,
) {
  const rate = createReportRate(REPORTS);
  const placed = createReportRate(PLACES);
  const place = createPlacer(ports);
  return async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    { target, named }: { target: PreviewTarget; named: PreviewHost },
    scripts: { probe: OwnScript; watch: OwnScript },
  ): Promise<void> => {
    switch (path.split("?", 1)[0]) {
      case PROBE_PATH:
        return answerScript(request, response, scripts.probe);
      case WATCH_PATH:
        return answerScript(request, response, scripts.watch);
      case PLACES_PATH: {
        const stacks = await takeStacks(request, response, () => placed.take(target.project));
        if (!stacks) return;
        const port = choosePort(target, named);
        const origin = originOf(request.headers.host ?? "");
        answerJson(response, { places: await place.stacks(stacks, origin, target, port) });
        return;
      }
      case STATE_PATH: {
        await awake(target, WAKE_MS.other);
        const port = choosePort(target, named);
        const socket =
          port === undefined ? undefined : await target.connect(port).catch(() => undefined);
        socket?.on("error", () => {});
        socket?.destroy();
        response.writeHead(200, {
          "content-type": "application/json",
          "cache-control": "no-store",
        });
        response.end(JSON.stringify({ up: socket !== undefined }));
        return;
      }
      case DRAWN_PATH:
        if (!isOwnPost(request, response)) return;
        target.onDrawn?.();
        response.writeHead(204, { "cache-control": "no-store" }).end();
        return;
      case REPORT_PATH: {
        const taken = await takeReport(request, response, () => rate.take(target.project));
        if (!taken) return;
        const revision = await target.revision?.();
        const port = choosePort(target, named);
        const report = await place.report(
          taken,
          originOf(request.headers.host ?? ""),
          target,
          port,
        );
        answerJson(response, report);
        target.onReport(revision === undefined ? report : { ...report, revision });
        return;
      }
      default:
        response.writeHead(404, { "cache-control": "no-store" }).end();
    }
  };
}
