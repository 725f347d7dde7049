import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ask, startGateway, startUpstream, testPreview } from "./gateway.test-support.ts";
import { STATE_PATH } from "@treadle/probe";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A preview whose server sleeps until `up` is called. */
async function sleeping() {
  const upstream = await startUpstream((_request, response) => response.end("the app"));
  upstream.server.on("upgrade", (_request, socket) =>
    socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  );
  const woken = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let asleep = true;
  const preview = testPreview([], {
    isAsleep: () => asleep,
    state: () => (asleep ? "starting" : "up"),
    async wake() {
      asked.resolve();
      await woken.promise;
    },
  });
  const { port, close } = await startGateway({ k: preview });
  closers.push(close, upstream.close);
  return {
    port,
    asked: asked.promise,
    up() {
      asleep = false;
      preview.ports = [upstream.port];
      woken.resolve();
    },
    /** It no longer sleeps, but is not up either. */
    fail() {
      asleep = false;
      woken.resolve();
    },
  };
}

const DOCUMENT = { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", accept: "text/html" };

describe("a preview with a sleeping server", () => {
  it("is served by the app itself, as soon as it is up", async () => {
    const { port, asked, up } = await sleeping();
    const page = ask({ port, host: "k.localhost", headers: DOCUMENT });
    const script = ask({ port, host: "k.localhost", path: "/main.js" });
    await asked;
    up();
    expect(await page).toMatchObject({ status: 200, text: "the app" });
    expect(await script).toMatchObject({ status: 200, text: "the app" });
  });

  it("shows that it is waking if that takes long, and then the app", async () => {
    const { port, up } = await sleeping();
    const page = await ask({ port, host: "k.localhost", headers: DOCUMENT });
    expect(page.status).toBe(503);
    expect(page.text).toContain("Waking the app…");
    const state = ask({ port, host: "k.localhost", path: STATE_PATH });
    up();
    expect((await state).status).toBe(200);
    expect(await ask({ port, host: "k.localhost" })).toMatchObject({ text: "the app" });
  });

  it("connects a WebSocket that was opened meanwhile", async () => {
    const { port, asked, up } = await sleeping();
    const socket = connect(port, "127.0.0.1");
    socket.write(
      "GET / HTTP/1.1\r\nhost: k.localhost\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    );
    await asked;
    up();
    let text = "";
    for await (const piece of socket) text += String(piece);
    expect(text).toMatch(/^HTTP\/1\.1 101/);
  });

  it("shows the state if it does not come up", async () => {
    const { port, asked, fail } = await sleeping();
    const page = ask({ port, host: "k.localhost", path: "/api" });
    await asked;
    fail();
    expect((await page).status).toBe(503);
  });
});
