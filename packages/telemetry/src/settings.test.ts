import { expect, it } from "vitest";
import { readTelemetrySettings } from "./settings.ts";

it("watches nothing by default", () => {
  expect(readTelemetrySettings({})).toEqual({ metrics: undefined, traces: undefined });
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_EXPORTER: "none" };
  expect(readTelemetrySettings(off).traces).toBeUndefined();
  expect(
    readTelemetrySettings({ ...off, OTEL_TRACES_EXPORTER: "", OTEL_SDK_DISABLED: "true" }).traces,
  ).toBeUndefined();
});

it.each([
  ["9464", { host: "127.0.0.1", port: 9464 }],
  ["0.0.0.0:9464", { host: "0.0.0.0", port: 9464 }],
  ["[::1]:80", { host: "::1", port: 80 }],
])("reads the address %s for metrics", (value, address) => {
  expect(readTelemetrySettings({ TREADLE_METRICS: value }).metrics).toEqual(address);
});

it("reads OpenTelemetry's variables", () => {
  expect(
    readTelemetrySettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, tenant = a",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
      OTEL_SERVICE_NAME: "builder",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
    }).traces,
  ).toEqual({
    url: "http://collector:4318/v1/traces",
    headers: { authorization: "Bearer x", tenant: "a" },
    resource: { "deployment.environment": "test", "service.name": "builder" },
    timeoutMs: 500,
    ratio: 0.25,
  });
});

it.each([
  ["TREADLE_METRICS", "0"],
  ["TREADLE_METRICS", "host"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_TRACES_EXPORTER", "zipkin"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "secret"],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "soon"],
  ["OTEL_TRACES_SAMPLER", "jaeger"],
])("names %s when it is %s", (name, value) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", [name]: value };
  expect(() => readTelemetrySettings(env)).toThrow(name);
});

it("does not repeat a header that it cannot read, as it may be a secret", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "k=%zz-secret",
  };
  expect(() => readTelemetrySettings(env)).toThrow(/^(?!.*secret).*percent-encoded/);
});
