import { createMcpHandler } from "@modelcontextprotocol/server";
import { connect } from "@treadle/client";
import { createMcpServer } from "./create-mcp-server.ts";

/** Treadle as a tool server over HTTP, for requests that were let in already. */
export function serveMcp(options: {
  token: string;
  /** The server's own origin. */
  origin(): string;
  /** Asks the server itself. */
  fetch(request: Request): Promise<Response>;
}): { fetch(request: Request): Promise<Response>; close(): Promise<void> } {
  const handler = createMcpHandler(
    () => {
      const url = options.origin();
      return createMcpServer(
        connect({
          url,
          token: options.token,
          fetch(input, init) {
            const request = new Request(input, init);
            request.headers.set("host", new URL(url).host);
            return options.fetch(request);
          },
        }),
      );
    },
    // Begun at once: a client that leaves is noticed, and its run stopped.
    { responseMode: "sse" },
  );
  return { fetch: (request) => handler.fetch(request), close: () => handler.close() };
}
