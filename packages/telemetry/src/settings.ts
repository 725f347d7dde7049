/** How a server is watched. All of it is off by default. */
export interface TelemetrySettings {
  /** Where Prometheus reads metrics; undefined: nowhere. */
  metrics: { host: string; port: number } | undefined;
  traces: TraceSettings | undefined;
}

export interface TraceSettings {
  /** The address to which spans are sent. */
  url: string;
  headers: Record<string, string>;
  /** Attributes of the resource, `service.name` among them. */
  resource: Record<string, string>;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs: number;
  /** The share of traces that are sent, from 0 to 1. */
  ratio: number;
}

type Env = Record<string, string | undefined>;

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Reads `TREADLE_METRICS`, and OpenTelemetry's own variables for traces
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 * @throws Error with a sentence that names the invalid variable
 */
export const readTelemetrySettings = (env: Env): TelemetrySettings => ({
  metrics: readAddress(env.TREADLE_METRICS?.trim() ?? ""),
  traces: readTraces(env),
});

/** `9464`, `127.0.0.1:9464` or `[::1]:9464`. */
function readAddress(value: string): TelemetrySettings["metrics"] {
  if (value === "") return undefined;
  const parts = /^(?:(?:\[([0-9a-f:]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(value);
  const port = Number(parts?.[3]);
  if (!parts || port < 1 || port > 65_535)
    throw new Error(
      `TREADLE_METRICS is a port or an address with one, such as 127.0.0.1:9464, not ${JSON.stringify(value)}.`,
    );
  return { host: parts[1] ?? parts[2] ?? "127.0.0.1", port };
}

function readTraces(env: Env): TraceSettings | undefined {
  const read = (name: string) => env[name]?.trim() || undefined;
  if (read("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  const exporter = read("OTEL_TRACES_EXPORTER") ?? "otlp";
  const base = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const endpoint =
    read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ??
    (base === undefined ? undefined : `${base.replace(/\/+$/, "")}/v1/traces`);
  if (exporter === "none" || endpoint === undefined) return undefined;
  if (exporter !== "otlp")
    throw new Error(`OTEL_TRACES_EXPORTER is otlp or none, not ${JSON.stringify(exporter)}.`);
  const protocol =
    read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? read("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol === "grpc")
    throw new Error(
      "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which Treadle does not speak: leave it out, and name the collector's port for HTTP (4318).",
    );
  if (!URL.canParse(endpoint) || !/^https?:/i.test(endpoint))
    throw new Error(`OTEL_EXPORTER_OTLP_ENDPOINT is no address: ${JSON.stringify(endpoint)}.`);
  const headers = read("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? read("OTEL_EXPORTER_OTLP_HEADERS");
  return {
    url: endpoint,
    headers: readPairs("OTEL_EXPORTER_OTLP_HEADERS", headers),
    resource: {
      ...readPairs("OTEL_RESOURCE_ATTRIBUTES", read("OTEL_RESOURCE_ATTRIBUTES")),
      "service.name": read("OTEL_SERVICE_NAME") ?? "treadle",
    },
    timeoutMs: readNumber(
      "OTEL_EXPORTER_OTLP_TIMEOUT",
      read("OTEL_EXPORTER_OTLP_TIMEOUT"),
      DEFAULT_TIMEOUT_MS,
    ),
    ratio: readRatio(read("OTEL_TRACES_SAMPLER"), read("OTEL_TRACES_SAMPLER_ARG")),
  };
}

/** `name=value,name=value`, percent-encoded. */
function readPairs(variable: string, text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      try {
        if (name !== undefined) return [name, decodeURIComponent(value)];
      } catch {
        // Invalid percent-encoding, which is reported like an invalid pair.
      }
      // A header may be a secret, so the sentence does not repeat it.
      throw new Error(`${variable} is name=value pairs between commas, percent-encoded.`);
    }),
  );
}

function readNumber(variable: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${variable} is a number of milliseconds, not ${JSON.stringify(text)}.`);
}

function readRatio(sampler: string | undefined, argument: string | undefined): number {
  const name = sampler?.replace(/^parentbased_/, "") ?? "always_on";
  if (name === "always_on") return 1;
  if (name === "always_off") return 0;
  const ratio = Number(argument ?? 1);
  if (name === "traceidratio" && ratio >= 0 && ratio <= 1) return ratio;
  throw new Error(
    "OTEL_TRACES_SAMPLER is always_on, always_off or traceidratio, the last with OTEL_TRACES_SAMPLER_ARG from 0 to 1.",
  );
}
