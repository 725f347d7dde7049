import { createServer } from "node:http";
import { once } from "node:events";
import { shutListener } from "@treadle/common";
import type { Metrics } from "./metrics.ts";

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Answers `GET /metrics` at a port of its own, without sign-in, as Prometheus expects: it holds counts and times, and
 * neither names nor texts of anybody.
 * @throws Error with a sentence, if the address is taken or not this machine's
 */
export async function serveMetrics(
  metrics: Pick<Metrics, "text">,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    if (request.method !== "GET") {
      response.writeHead(405, { allow: "GET" }).end();
      return;
    }
    metrics.text().then(
      ({ type, body }) => response.writeHead(200, { "content-type": type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(
      `Metrics cannot be served at ${host}:${port} (TREADLE_METRICS): ${(error as Error).message}.`,
    );
  }
  return {
    port: (server.address() as { port: number }).port,
    close: () => shutListener(server),
  };
}
