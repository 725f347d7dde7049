import { createServer, request, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";

/** Proxies between the browser and the server that block WebSockets. */
const PROXIES: Record<string, (socket: Duplex) => void> = {
  "answers 400": (socket) =>
    void socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
  "answers 403": (socket) => void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
  "says nothing": () => {},
};

let { treadle, page } = {} as Stage;
let project: string;
const proxies: Server[] = [];
const held = new Set<Duplex>();
setStage({ page: {} }, async (stage) => {
  ({ treadle, page } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await page.close();
  for (const proxy of proxies) {
    proxy.close();
    proxy.closeAllConnections();
  }
});

/** A proxy in front of the server, which sees ordinary requests. */
async function startProxy(refuse: (socket: Duplex) => void): Promise<string> {
  const { port } = new URL(treadle.origin);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: `localhost:${port}` };
    if (headers.origin) headers.origin = treadle.origin;
    const onward = request(
      { host: "localhost", port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  proxy.on("upgrade", (_, socket) => {
    held.add(socket);
    socket.on("error", () => {});
    refuse(socket);
  });
  proxies.push(proxy);
  proxy.listen(0, "localhost");
  await once(proxy, "listening");
  return `http://localhost:${(proxy.address() as AddressInfo).port}`;
}

describe.each(Object.entries(PROXIES))("behind a proxy that %s for a WebSocket", (_, refuse) => {
  it("follows the log live, and can type into a terminal", async () => {
    const origin = await startProxy(refuse);
    await page.goto(`${origin}/?token=${treadle.token}`);
    await page.goto(`${origin}/p/${project}`);
    const name = `Renamed ${proxies.length}`;
    const change = { method: "PATCH", body: JSON.stringify({ name }) };
    // Events reach the open page without being requested.
    await page.getByRole("button", { name: "Terminal" }).waitFor();
    await treadle.api(`/api/projects/${project}`, change);
    await expect.poll(() => page.title(), { timeout: 60_000 }).toContain(name);

    const panel = page.getByRole("region", { name: "Terminals" });
    if (!(await panel.isVisible())) await page.getByRole("button", { name: "Terminal" }).click();
    const screen = panel.getByRole("tabpanel").filter({ visible: true }).locator(".xterm-rows");
    await expect.poll(() => screen.textContent(), { timeout: 60_000 }).toContain("$");
    await panel.getByRole("textbox", { name: "Terminal 1", exact: true }).focus();
    await page.keyboard.type(`echo $((6 * 7))-${proxies.length}`);
    await page.keyboard.press("Enter");
    await expect
      .poll(() => screen.textContent(), { timeout: 60_000 })
      .toContain(`42-${proxies.length}`);
  });
});
