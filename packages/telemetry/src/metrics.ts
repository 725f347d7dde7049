import type { Operation } from "./operations.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  method: string;
  /** The route's pattern, such as `/api/projects/{id}`; never the path, which has too many values. */
  route: string;
  status: number;
  ms: number;
}

/** Values that are read when Prometheus asks. */
export interface Gauges {
  /** Number of sandboxes that run. */
  sandboxes(): number;
  /** Number of runs that are active or wait in line. */
  openRuns(): number;
}

export interface Metrics {
  onOperation(operation: Operation): void;
  onRequest(request: AnsweredRequest): void;
  /** In Prometheus' text format. */
  text(): Promise<{ type: string; body: string }>;
}

/** Upper bounds of the histograms' buckets, in seconds. */
const OPERATION_BUCKETS_S = [0.05, 0.2, 1, 3, 10, 30, 60, 180, 600, 1800];
const REQUEST_BUCKETS_S = [0.005, 0.02, 0.05, 0.2, 1, 5, 30];

/** Loads prom-client only here, so that a server without metrics does not pay for it. */
export async function createMetrics(gauges: Gauges): Promise<Metrics> {
  const { default: prom } = await import("prom-client");
  const register = new prom.Registry();
  const registers = [register];
  prom.collectDefaultMetrics({ register });
  const operations = new prom.Histogram({
    name: "treadle_operation_duration_seconds",
    help: "Duration of runs, steps (model calls), tool calls, sandbox starts and looks.",
    labelNames: ["kind", "name", "outcome"],
    buckets: OPERATION_BUCKETS_S,
    registers,
  });
  const tokens = new prom.Counter({
    name: "treadle_model_tokens_total",
    help: "Tokens of model calls.",
    labelNames: ["model", "direction"],
    registers,
  });
  const cost = new prom.Counter({
    name: "treadle_model_cost_usd_total",
    help: "Cost of model calls whose price is known, in US dollars.",
    labelNames: ["model"],
    registers,
  });
  const verdicts = new prom.Counter({
    name: "treadle_verdicts_total",
    help: "Verdicts with which runs ended.",
    labelNames: ["verdict"],
    registers,
  });
  const requests = new prom.Histogram({
    name: "treadle_http_request_duration_seconds",
    help: "Duration of requests to the workbench and its API.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_BUCKETS_S,
    registers,
  });
  for (const [name, help, read] of [
    ["treadle_sandboxes", "Sandboxes that run.", gauges.sandboxes],
    ["treadle_open_runs", "Runs that are active.", gauges.openRuns],
  ] as const) {
    new prom.Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  return {
    onOperation({ kind, name, outcome, startMs, endMs, attributes }) {
      operations.observe({ kind, name, outcome }, (endMs - startMs) / 1000);
      const verdict = attributes["treadle.verdict"];
      if (kind === "run" && typeof verdict === "string") verdicts.inc({ verdict });
      if (kind !== "step") return;
      const model = String(attributes["gen_ai.request.model"] ?? "");
      const count = (direction: string, attribute: string) => {
        const value = attributes[attribute];
        if (typeof value === "number") tokens.inc({ model, direction }, value);
      };
      count("input", "gen_ai.usage.input_tokens");
      count("cached-input", "treadle.usage.cached_input_tokens");
      count("output", "gen_ai.usage.output_tokens");
      const costUsd = attributes["treadle.usage.cost_usd"];
      if (typeof costUsd === "number") cost.inc({ model }, costUsd);
    },
    onRequest({ method, route, status, ms }) {
      requests.observe({ method, route, status: String(status) }, ms / 1000);
    },
    async text() {
      return { type: register.contentType, body: await register.metrics() };
    },
  };
}
