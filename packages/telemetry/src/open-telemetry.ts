import { AsyncLocalStorage } from "node:async_hooks";
import type { LogEvent } from "@treadle/protocol";
import { exportTraces } from "./export-traces.ts";
import { createMetrics, type AnsweredRequest } from "./metrics.ts";
import { newPlace, type Operation } from "./operations.ts";
import { serveMetrics } from "./serve-metrics.ts";
import type { TelemetrySettings } from "./settings.ts";
import { watchLog } from "./watch-log.ts";

export interface Telemetry {
  /** Takes each event of the log as it is written. `at`: milliseconds since 1970. */
  onEvent(project: string, event: LogEvent, at: number): void;
  onRequest(request: AnsweredRequest): void;
  /** Does work that belongs to a run: what is measured in it becomes a part of the run's trace. */
  inRun<Result>(run: string, act: () => Promise<Result>): Promise<Result>;
  /** Measures an operation that the log does not record. */
  measure<Result>(
    kind: "sandbox" | "look",
    name: string,
    act: () => Promise<Result>,
  ): Promise<Result>;
  /** Sets what the number of sandboxes is read from. */
  countSandboxes(read: () => number): void;
  close(): Promise<void>;
}

interface Options {
  settings: TelemetrySettings;
  version: string;
  onNotice(text: string): void;
  /** Milliseconds since 1970. */
  now?(): number;
}

/**
 * Opens what is set up. Undefined where nothing is: a server then measures nothing, and loads nothing for it.
 * @throws Error with a sentence, if the port for metrics cannot be opened
 */
export async function openTelemetry(options: Options): Promise<Telemetry | undefined> {
  const { settings, version, onNotice, now = Date.now } = options;
  if (!settings.metrics && !settings.traces) return undefined;
  const traces =
    settings.traces &&
    exportTraces({
      settings: settings.traces,
      version,
      onFailure: (reason) =>
        onNotice(`Traces cannot be sent to ${new URL(settings.traces!.url).host}: ${reason}.`),
    });
  let countSandboxes = () => 0;
  const onOperation = (operation: Operation): void => {
    metrics?.onOperation(operation);
    traces?.onOperation(operation);
  };
  const log = watchLog(onOperation);
  const metrics =
    settings.metrics &&
    (await createMetrics({ sandboxes: () => countSandboxes(), openRuns: log.openRuns }));
  const server = metrics && (await serveMetrics(metrics, settings.metrics!));
  const currentRun = new AsyncLocalStorage<string>();

  return {
    onEvent: log.onEvent,
    onRequest: (request) => metrics?.onRequest(request),
    inRun: (run, act) => currentRun.run(run, act),
    async measure(kind, name, act) {
      const run = currentRun.getStore();
      const place = newPlace(run === undefined ? undefined : log.placeOf(run));
      const startMs = now();
      const end = (outcome: string) =>
        onOperation({
          kind,
          name,
          place,
          startMs,
          endMs: Math.max(startMs, now()),
          outcome,
          hasFailed: outcome === "error",
          attributes: {},
        });
      try {
        const result = await act();
        end("ok");
        return result;
      } catch (error) {
        end("error");
        throw error;
      }
    },
    countSandboxes(read) {
      countSandboxes = read;
    },
    async close() {
      await server?.close();
      await traces?.close();
    },
  };
}
