/** A gateway for the browser's tests: a request handler in this process provides the app. */
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBrowser } from "./browser.ts";
import type { BrowserOptions, PreviewBrowser } from "./types.ts";

export const ORIGIN = "http://abc.localhost:4173";

interface Site {
  browser: PreviewBrowser;
  gateway: BrowserOptions["gateway"];
  /** The pages' requests: method and path. */
  asked: string[];
}

type Reply =
  | string
  | { status?: number; type?: string; body?: string }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export function createSite(
  pages: Record<string, Reply>,
  {
    upgrade = (_request, socket) => void socket.destroy(),
    port: own,
    ...more
  }: Partial<BrowserOptions & Pick<BrowserOptions["gateway"], "upgrade">> & { port?: number } = {},
): Site {
  const asked: string[] = [];
  const gateway: BrowserOptions["gateway"] = {
    handle(request, response) {
      asked.push(`${request.method} ${request.url}`);
      const page = pages[request.url?.split("?")[0] ?? ""];
      if (typeof page === "function") return page(request, response);
      const { status, type, body } =
        page === undefined ? { status: 404 } : typeof page === "string" ? { body: page } : page;
      response.writeHead(status ?? 200, { "content-type": type ?? "text/html; charset=utf-8" });
      response.end(body ?? "");
    },
    upgrade,
    connect: async (_host, port) => (port === own ? connect(port, "127.0.0.1") : undefined),
  };
  const browser = createBrowser({
    cacheDirectory: join(tmpdir(), "treadle-browser-cache"),
    env: process.env,
    gateway,
    ...more,
  });
  return { browser, gateway, asked };
}
