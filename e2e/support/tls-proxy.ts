import { request } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { CERTIFICATE, KEY } from "../../packages/egress/src/certificate.test-support.ts";

export interface TlsProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * A web server in front of Treadle that receives https, with a certificate that nobody trusts.
 * @param upstream the port of Treadle on this machine, once it is known
 */
export async function startTlsProxy(upstream: () => number): Promise<TlsProxy> {
  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7" };
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (asked, response) => {
    const { method, url, headers } = asked;
    const passed = request(
      { host: "127.0.0.1", port: upstream(), method, path: url, headers: { ...headers, ...forwarded } }, // prettier-ignore
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  server.on("upgrade", (asked, client, head: Buffer) => {
    const socket = connect(upstream(), "127.0.0.1", () => {
      const lines = Object.entries({ ...asked.headers, ...forwarded }).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      socket.write([`GET ${asked.url} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
      socket.write(head);
      socket.pipe(client).pipe(socket);
    });
    socket.on("error", () => client.destroy());
    client.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
