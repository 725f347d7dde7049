import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { LogEvent } from "@treadle/protocol";
import { afterEach, expect, it } from "vitest";
import { openTelemetry } from "./open-telemetry.ts";
import { exportTraces } from "./export-traces.ts";
import { newPlace, type Operation } from "./operations.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A collector that answers with these statuses, and then with 200. */
async function startCollector(...statuses: number[]) {
  const received: { headers: Record<string, unknown>; spans: Span[] }[] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      const { resourceSpans } = JSON.parse(body) as Body;
      received.push({ headers: request.headers, spans: resourceSpans[0]!.scopeSpans[0]!.spans });
      response.writeHead(statuses.shift() ?? 200).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => void server.close().closeAllConnections());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces` };
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
}
interface Body {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

const settingsFor = (url: string) => ({
  url,
  headers: { authorization: "Bearer x" },
  resource: { "service.name": "treadle" },
  timeoutMs: 2_000,
  ratio: 1,
});

const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 3, costUsd: 0.5 };
const EVENTS: LogEvent[] = [
  { type: "run-start", run: "r1", message: "m1", model: "openai:gpt", dialect: "native" },
  { type: "step-start", run: "r1", step: 1 },
  { type: "step-end", run: "r1", step: 1, finish: "stop", usage },
];
const END: LogEvent = {
  type: "run-end",
  run: "r1",
  outcome: "done",
  verdict: "verified",
  summary: "",
  revision: "abc",
  steps: 1,
  usage,
  ms: 9,
};

it("is nothing where nothing is set", async () => {
  const settings = { metrics: undefined, traces: undefined };
  expect(await openTelemetry({ settings, version: "1", onNotice: () => {} })).toBeUndefined();
});

it("serves metrics of runs, model calls, looks and requests at its own port", async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const settings = { metrics: { host: "127.0.0.1", port }, traces: undefined };
  const telemetry = (await openTelemetry({ settings, version: "1", onNotice: () => {} }))!;
  closers.push(telemetry.close);
  telemetry.countSandboxes(() => 3);
  for (const event of EVENTS) telemetry.onEvent("p1", event, 1_000);
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(await read()).toMatch(/^treadle_open_runs 1$/m);
  telemetry.onEvent("p1", END, 5_000);
  await telemetry.measure("look", "look", async () => {});
  const failing = telemetry.measure("sandbox", "local", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  telemetry.onRequest({ method: "GET", route: "/api/projects", status: 200, ms: 3 });

  const text = await read();
  expect(text).toMatch(/^treadle_sandboxes 3$/m);
  expect(text).toMatch(/^treadle_open_runs 0$/m);
  expect(text).toMatch(/^treadle_model_tokens_total\{model="openai:gpt",direction="input"\} 10$/m);
  expect(text).toMatch(/^treadle_model_cost_usd_total\{model="openai:gpt"\} 0.5$/m);
  expect(text).toMatch(/^treadle_verdicts_total\{verdict="verified"\} 1$/m);
  expect(text).toMatch(/duration_seconds_sum\{kind="run",name="run",outcome="done"\} 4$/m);
  expect(text).toMatch(/_count\{kind="sandbox",name="local",outcome="error"\} 1$/m);
  expect(text).toMatch(/_count\{method="GET",route="\/api\/projects",status="200"\} 1$/m);
  expect(text).toContain("process_resident_memory_bytes");
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  // The port is taken now.
  const second = openTelemetry({ settings, version: "1", onNotice: () => {} });
  await expect(second).rejects.toThrow("TREADLE_METRICS");
});

it("sends a run as one trace, with the looks that were made in it", async () => {
  const { received, url } = await startCollector();
  const settings = { metrics: undefined, traces: settingsFor(url) };
  const telemetry = (await openTelemetry({ settings, version: "1", onNotice: () => {} }))!;
  for (const event of EVENTS) telemetry.onEvent("p1", event, 1_000);
  await telemetry.inRun("r1", () => telemetry.measure("look", "use", async () => {}));
  telemetry.onEvent("p1", END, 1_000.5);
  await telemetry.close();
  expect(received).toHaveLength(1);
  expect(received[0]!.headers.authorization).toBe("Bearer x");
  const spans = received[0]!.spans;
  expect(spans.map(({ name }) => name)).toEqual(["step", "look use", "run"]);
  const [step, look, run] = spans as [Span, Span, Span];
  expect(run.parentSpanId).toBeUndefined();
  expect([step.parentSpanId, look.parentSpanId]).toEqual([run.spanId, run.spanId]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(run.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(run.startTimeUnixNano).toBe("1000000000");
});

const operation = (): Operation => ({
  kind: "run",
  name: "run",
  place: newPlace(),
  startMs: 1,
  endMs: 2,
  outcome: "done",
  hasFailed: false,
  attributes: {},
});

it("sends again what the collector cannot take for now, and says once that it does not take it", async () => {
  const { received, url } = await startCollector(503, 429, 200, 400, 400);
  const failures: string[] = [];
  const traces = exportTraces({
    settings: settingsFor(url),
    version: "1",
    onFailure: (reason) => failures.push(reason),
    batchMs: 1,
    retryMs: [1, 1],
  });
  closers.push(traces.close);
  traces.onOperation(operation());
  await expect.poll(() => received.length).toBe(3);
  expect(failures).toEqual([]);
  for (const requests of [4, 5]) {
    traces.onOperation(operation());
    await expect.poll(() => received.length).toBe(requests);
  }
  await expect.poll(() => failures).toEqual(["it answered 400"]);
});

it("drops spans rather than memory while the collector is down", async () => {
  const { received, url } = await startCollector();
  const traces = exportTraces({ settings: settingsFor(url), version: "1", onFailure: () => {} });
  for (let count = 0; count < 5_000; count++) traces.onOperation(operation());
  await traces.close();
  expect(received.flatMap(({ spans }) => spans)).toHaveLength(2_048);
});

it("sends no trace of a run that the sampler leaves out", async () => {
  const { received, url } = await startCollector();
  const settings = { ...settingsFor(url), ratio: 0 };
  const traces = exportTraces({ settings, version: "1", onFailure: () => {} });
  traces.onOperation(operation());
  await traces.close();
  expect(received).toEqual([]);
});
