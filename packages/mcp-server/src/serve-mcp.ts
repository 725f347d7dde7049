import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { connect } from "@treadle/client";
import { createMcpServer } from "./create-mcp-server.ts";

/** Headers that say who a request comes from. */
const CALLER = ["authorization", "cookie", "origin"];

type Answer = (request: Request) => Promise<Response>;

/** Treadle as a tool server over HTTP, for requests that were let in already. */
export interface ToolServer {
  /** Answers tool requests. @param ask asks the server itself, of which these requests are a part */
  answeringBy(ask: Answer): Answer;
  close(): Promise<void>;
}

/** @param options.origin the server's own origin */
export function serveMcp(options: { origin(): string }): ToolServer {
  const handlers: McpHttpHandler[] = [];
  return {
    answeringBy(ask) {
      const handler = createMcpHandler(
        ({ requestInfo }) => {
          const url = options.origin();
          return createMcpServer(
            connect({
              url,
              token: "",
              fetch(input, init) {
                const request = new Request(input, init);
                request.headers.set("host", new URL(url).host);
                // In the name of whoever asks, so that a tool can do no more than they can.
                for (const name of CALLER) {
                  const value = requestInfo?.headers.get(name);
                  if (value) request.headers.set(name, value);
                  else request.headers.delete(name);
                }
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
