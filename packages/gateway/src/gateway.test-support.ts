import { createServer, request, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { isPreviewHost } from "@treadle/common";
import { createGateway } from "./gateway.ts";
import type { Gateway, GatewayOptions, PreviewTarget, ProbeReport } from "./types.ts";

/** Starts a server of generated code on loopback; its project listens on `port`. */
export async function startUpstream(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Connects to loopback, as a workspace connects to its sandbox. */
export function connectLoopback(port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}

export interface TestPreview {
  ports: number[];
  reports: ProbeReport[];
  /** Ports that were requested from the sandbox. */
  connected: number[];
  target: PreviewTarget;
}

export function testPreview(ports: number[], more: Partial<PreviewTarget> = {}): TestPreview {
  const preview: TestPreview = {
    ports,
    reports: [],
    connected: [],
    target: {
      project: "project",
      ports: () => preview.ports,
      connect(port) {
        preview.connected.push(port);
        return connectLoopback(port);
      },
      onReport: (report) => void preview.reports.push(report),
      ...more,
    },
  };
  return preview;
}

export interface TestGateway {
  gateway: Gateway;
  port: number;
  close(): Promise<void>;
}

/** Starts the gateway on its own port, with `app` in place of Treadle's page. */
export async function startGateway(
  previews: Record<string, TestPreview>,
  options: Partial<GatewayOptions> & { app?: RequestListener } = {},
): Promise<TestGateway> {
  const { app, ...more } = options;
  let port = 0;
  const gateway = createGateway({
    resolve: (capability) => previews[capability]?.target,
    appOrigin: () => `http://localhost:${port}`,
    ...more,
  });
  /** The server admits people to public hosts; here, all of them may see every preview. */
  const isHandled = ({ headers: { host } }: IncomingMessage) =>
    gateway.handles(host) || isPreviewHost(host, more.people?.previewDomain);
  const server = createServer((incoming, response) => {
    if (isHandled(incoming)) gateway.handle(incoming, response);
    else if (app) app(incoming, response);
    else response.writeHead(403).end();
  });
  server.on("upgrade", (incoming, socket, head) => {
    if (isHandled(incoming)) gateway.upgrade(incoming, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  return {
    gateway,
    port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Reply {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
  text: string;
}

export interface AskOptions {
  port: number;
  host: string;
  path?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends one request with a given Host. */
export function ask(options: AskOptions): Promise<Reply> {
  const { port, host, path = "/", method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        port,
        host: "127.0.0.1",
        path,
        method,
        headers: { host, ...headers },
        agent: false,
        // Like browsers, accepts larger headers than the gateway permits apps.
        maxHeaderSize: 256 * 1024,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          const body = Buffer.concat(pieces);
          const { statusCode = 0, headers: answered } = response;
          resolve({ status: statusCode, headers: answered, body, text: body.toString() });
        });
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Waits for an effect of another side; the test's own time limit ends the wait. */
export async function until<T>(read: () => T | undefined | false): Promise<T> {
  for (;;) {
    const value = read();
    if (value !== undefined && value !== false) return value as T;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
