import type { IncomingMessage } from "node:http";
import { endSoon, type Handlers, openListener, sameToken, shutListener } from "@treadle/common";
import { CLIENT_HEADER, passedHeaders, SECRET_HEADER } from "./forwarded-headers.ts";

/**
 * Listens for requests that other servers forward, and hands them on as the first server received them. A request
 * without the secret is refused. The public listener never looks at these headers, so nobody outside can use them.
 * @throws ListenError
 */
export async function openInternalDoor(
  { host, port, secret }: { host: string; port: number; secret: string },
  handlers: Handlers,
): Promise<{ close(): Promise<void> }> {
  const admit = (request: IncomingMessage): boolean => {
    const { headers, socket } = request;
    const given = headers[SECRET_HEADER];
    if (!sameToken(typeof given === "string" ? given : undefined, secret)) return false;
    const client = headers[CLIENT_HEADER];
    // Everything that looks at the client sees the one that the first server saw.
    Object.defineProperty(socket, "remoteAddress", { value: client, configurable: true });
    delete headers[SECRET_HEADER];
    delete headers[CLIENT_HEADER];
    const { rawHeaders } = request;
    const own = rawHeaders.flatMap(
      (name, index) =>
      index % 2 === 0 && ["connection", "upgrade"].includes(name.toLowerCase()) ? [name, rawHeaders[index + 1]!] : [], // prettier-ignore
    );
    rawHeaders.splice(0, rawHeaders.length, ...passedHeaders(request), ...own);
    return true;
  };
  const server = await openListener(host, port, {
    request(request, response) {
      if (admit(request)) return handlers.request(request, response);
      request.resume();
      response.writeHead(403, { "cache-control": "no-store", connection: "close" }).end();
    },
    upgrade(request, socket, head) {
      if (admit(request)) return handlers.upgrade(request, socket, head);
      endSoon(socket, "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    },
  });
  return { close: () => shutListener(server) };
}
