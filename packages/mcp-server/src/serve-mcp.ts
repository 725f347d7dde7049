import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { connect } from "@treadle/client";
import { createMcpServer } from "./create-mcp-server.ts";

/** Headers that identify the sender of a request. */
const CALLER = ["authorization", "cookie", "origin"];

type Answer = (request: Request) => Promise<Response>;

/** Treadle as a tool server over HTTP, for requests that were already authorised. */
export interface ToolServer {
  /** Creates the handler of tool requests. @param ask sends a request to Treadle's own server */
  answeringBy(ask: Answer): Answer;
  close(): Promise<void>;
}

/** Creates the tool server over HTTP. @param options.origin returns the server's own origin */
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
                // Requests are made in the name of the sender, so that a tool can do no more than they can.
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
        // The response begins at once, so that a client that disconnects is noticed and its run stopped.
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
