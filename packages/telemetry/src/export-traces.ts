import type { Operation } from "./operations.ts";
import type { TraceSettings } from "./settings.ts";

/** Spans that wait to be sent. Later ones are dropped, since a collector that is down must not fill the memory. */
const MAX_WAITING = 2_048;
/** Spans in one request. */
const MAX_BATCH = 512;
/** Delay before a batch is sent, in milliseconds. */
const BATCH_MS = 5_000;
/** Delays before a batch that was refused for now is sent again, in milliseconds. */
const RETRY_MS = [1_000, 5_000, 20_000];
/** Answers after which the protocol allows another attempt. */
const RETRYABLE = new Set([429, 502, 503, 504]);

export interface TraceExport {
  onOperation(operation: Operation): void;
  /** Sends what waits, in one attempt, and stops. */
  close(): Promise<void>;
}

interface Options {
  settings: TraceSettings;
  version: string;
  /** Called once for each time that the collector stops taking spans. */
  onFailure(reason: string): void;
  batchMs?: number;
  retryMs?: readonly number[];
}

/**
 * Sends operations as spans to a collector, by OTLP over HTTP in JSON
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp). The official exporter brings 28 MB to every installation for
 * what is one request with a documented body.
 */
export function exportTraces({
  settings,
  version,
  onFailure,
  batchMs = BATCH_MS,
  retryMs = RETRY_MS,
}: Options): TraceExport {
  let waiting: Operation[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const closing = new AbortController();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      sending = sending.then(send);
    }, batchMs).unref();
  }

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      const reason = await sendBatch(batch);
      if (reason !== undefined && !hasFailed) onFailure(reason);
      hasFailed = reason !== undefined;
      // What follows waits for the next batch instead of meeting the same failure at once.
      if (hasFailed) return;
    }
  }

  /** @returns why the batch was given up, or undefined if it was taken */
  async function sendBatch(batch: readonly Operation[]): Promise<string | undefined> {
    const body = JSON.stringify(toRequest(batch, settings.resource, version));
    for (let attempt = 0; ; attempt++) {
      const result = await post(body);
      const delay = retryMs[attempt];
      if (result === undefined) return undefined;
      if (!result.canRetry || delay === undefined || closing.signal.aborted) return result.reason;
      await pause(delay, closing.signal);
    }
  }

  async function post(body: string): Promise<{ reason: string; canRetry: boolean } | undefined> {
    try {
      const response = await fetch(settings.url, {
        method: "POST",
        headers: { "content-type": "application/json", ...settings.headers },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(settings.timeoutMs),
      });
      await response.body?.cancel();
      if (response.ok) return undefined;
      const canRetry = RETRYABLE.has(response.status);
      return { reason: `it answered ${response.status}`, canRetry };
    } catch (error) {
      return { reason: (error as Error).message, canRetry: true };
    }
  }

  return {
    onOperation(operation) {
      // The trace's id is random, so its first digits choose a share of all traces, whole ones.
      const position = Number.parseInt(operation.place.trace.slice(0, 8), 16) / 2 ** 32;
      if (position >= settings.ratio || waiting.length >= MAX_WAITING) return;
      waiting.push(operation);
      schedule();
    },
    async close() {
      clearTimeout(timer);
      closing.abort();
      await sending;
      await send();
    },
  };
}

/** Resolves after the delay, or once the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onEnd = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onEnd);
      resolve();
    };
    const timer = setTimeout(onEnd, ms);
    signal.addEventListener("abort", onEnd);
  });
}

const SPAN_KIND_INTERNAL = 1;
const SPAN_KIND_CLIENT = 3;
const STATUS_ERROR = 2;

/** An `ExportTraceServiceRequest` in the JSON form of the protocol. */
function toRequest(
  operations: readonly Operation[],
  resource: Record<string, string>,
  version: string,
) {
  const spans = operations.map((operation) => ({
    traceId: operation.place.trace,
    spanId: operation.place.span,
    ...(operation.place.parent === undefined ? {} : { parentSpanId: operation.place.parent }),
    name:
      operation.name === operation.kind ? operation.kind : `${operation.kind} ${operation.name}`,
    kind: operation.kind === "step" ? SPAN_KIND_CLIENT : SPAN_KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(operation.startMs),
    endTimeUnixNano: nanoseconds(operation.endMs),
    attributes: attributes({ ...operation.attributes, "treadle.outcome": operation.outcome }),
    status: operation.hasFailed ? { code: STATUS_ERROR } : {},
  }));
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ ...resource, "service.version": version }) },
        scopeSpans: [{ scope: { name: "treadle", version }, spans }],
      },
    ],
  };
}

/** 64-bit numbers are strings in the protocol's JSON. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === "string"
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value },
  }));
