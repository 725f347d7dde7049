import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { connect } from "@treadle/client";
import { createMcpServer } from "./create-mcp-server.ts";

type Answer = (request: Request) => Promise<Response>;

/** Treadle as a tool server over HTTP, for requests that were let in already. */
export interface ToolServer {
  /** Answers tool requests. @param ask asks the server itself, of which these requests are a part */
  answeringBy(ask: Answer): Answer;
  close(): Promise<void>;
}

/** @param options.origin the server's own origin */
export function serveMcp(options: { token: string; origin(): string }): ToolServer {
  const handlers: McpHttpHandler[] = [];
  return {
    answeringBy(ask) {
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
                return ask(request);
              },
            }),
          );
        },
        // Begun at once: a client that leaves is noticed, and its run stopped.
        { responseMode: "sse" },
      );
      handlers.push(handler);
      return (request) => handler.fetch(request);
    },
    async close() {
      for (const handler of handlers) await handler.close();
    },
  };
}
