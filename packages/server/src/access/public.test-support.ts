/** A server with a public address, and browsers elsewhere, as a web server in front forwards them. */
import { request, type IncomingMessage } from "node:http";
import type { Person } from "@treadle/accounts";
import { isPreviewHost } from "@treadle/common";
import { startTestServer } from "../server.test-support.ts";

export const HOST = "builder.example.org";
const DOMAIN = "apps.example.net";
export const PUBLIC = {
  TREADLE_URL: `https://${HOST}`,
  TREADLE_PREVIEW_URL: `https://*.${DOMAIN}`,
};

const SWITCHED =
  "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n";

export interface Sent {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

/** @param env replaces single settings */
export async function startPublicServer(env: Record<string, string> = {}) {
  const server = await startTestServer(undefined, {
    team: true,
    env: { ...PUBLIC, ...env },
    // Previews answer with the Host that they were reached at; `/stream` never ends.
    createGateway: () => ({
      handles: isPreviewHost,
      originOf: (capability) => `http://${capability}.localhost`,
      connect: () => Promise.resolve(undefined),
      handle(asked, response) {
        response.write(`app at ${asked.headers.host}`);
        if (asked.url !== "/stream") response.end();
      },
      upgrade(_, socket) {
        socket.on("end", () => socket.destroy()).resume();
        socket.write(SWITCHED);
      },
    }),
  });
  const accounts = server.accounts!;
  const { port } = await server.listen();

  /** Sends a request with exactly this Host; `https` as a web server in front states it. */
  function open(
    host: string,
    path: string,
    { method = "GET", headers = {}, https = true, json }: { method?: string; headers?: Record<string, string>; https?: boolean; json?: unknown } = {}, // prettier-ignore
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request({
        host: "127.0.0.1",
        port,
        path,
        method: json === undefined ? method : "POST",
        headers: {
          host,
          ...(https ? { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7" } : {}),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
      });
      sent.on("response", resolve).on("error", reject);
      sent.on("upgrade", (answer, socket) => {
        socket.destroy();
        resolve(answer);
      });
      sent.end(json === undefined ? undefined : JSON.stringify(json));
    });
  }
  async function send(...asked: Parameters<typeof open>): Promise<Sent> {
    const answer = await open(...asked);
    const upgraded = answer.statusCode === 101;
    const text = upgraded ? "" : (await answer.toArray()).join("");
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }

  async function person(role: Person["role"] = "member") {
    const added = await accounts.people.add({ name: "Ada", role });
    const cookie = `__Host-treadle=${await accounts.sessions.open(added.id, "test")}`;
    return { id: added.id, headers: { cookie, origin: `https://${HOST}` } };
  }
  type Person_ = Awaited<ReturnType<typeof person>>;

  async function project({ headers }: Person_) {
    const { id } = JSON.parse((await send(HOST, "/api/projects", { headers, json: {} })).text) as { id: string }; // prettier-ignore
    const detail = await send(HOST, `/api/projects/${id}`, { headers });
    const { previewOrigin } = JSON.parse(detail.text) as { previewOrigin: string };
    return { id, origin: previewOrigin, host: new URL(previewOrigin).host };
  }

  /** The path at which a browser enters a preview, once. */
  async function ticketPath({ headers }: Person_, id: string, asked: object = {}) {
    const given = await send(HOST, `/api/projects/${id}/preview-pass`, { headers, json: asked });
    const { pathname, search, host } = new URL((JSON.parse(given.text) as { address: string }).address); // prettier-ignore
    return { host, path: pathname + search };
  }

  /** A browser's cookie for a preview. */
  async function passOf(who: Person_, id: string, asked: object = {}) {
    const { host, path } = await ticketPath(who, id, asked);
    const entered = await send(host, path, { headers: AS_FRAME });
    return (entered.headers["set-cookie"] ?? []).join().split(";", 1)[0] ?? "";
  }

  return { server, accounts, port, open, send, person, project, ticketPath, passOf };
}

export const AS_TAB = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" }; // prettier-ignore
export const AS_FRAME = { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" }; // prettier-ignore
export const AS_SOCKET = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "13", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" }; // prettier-ignore
