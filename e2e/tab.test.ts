import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askInside } from "../apps/web/src/tab/ask-inside.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { root } from "./support/treadle.ts";

/** The parts of the stand-in that tests use, in the page where it runs. */
interface StandIn {
  commands: string[];
  waiting: (() => void)[];
  script: string;
  files: Map<string, Uint8Array>;
  fetch(
    port: number,
    path: string,
    shown?: boolean,
  ): { status: number; type: string; body: string } | undefined;
}

const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

let { treadle, page, person, context } = {} as Stage;
let id: string;
let tab: Page;

setStage({ script: scriptNamed("tab") }, async (stage) => {
  ({ treadle, page, person, context } = stage);
  await answerForTheContainer(context);
  await person.open();
});

/** The package is never loaded: a stand-in replaces it and its previews, which need no network. */
async function answerForTheContainer(there: BrowserContext): Promise<void> {
  await there.route(/\/assets\/webcontainer-[\w-]+\.js$/, (route) =>
    route.fulfill({ path: join(root, "e2e/support/webcontainer-stand-in.js") }),
  );
  await there.route(/^https:\/\/stand-in--\d+\.local-credentialless\./, async (route) => {
    const { hostname, pathname, search } = new URL(route.request().url());
    const port = Number(/--(\d+)\./.exec(hostname)![1]);
    // A tab that is being closed does not answer any more.
    const answered = tab.evaluate(
      ([at, path]) =>
        (globalThis as unknown as { standIn?: StandIn }).standIn?.fetch(at, path, true) ?? null,
      [port, pathname + search] as const,
    );
    const answer = await answered.catch(() => null);
    if (!answer) return route.abort();
    await route.fulfill({
      status: answer.status,
      contentType: answer.type,
      body: answer.body,
      headers: {
        "cross-origin-embedder-policy": "credentialless",
        "cross-origin-resource-policy": "cross-origin",
      },
    });
  });
}

const openTab = async () => {
  tab = await context.newPage();
  await tab.goto(new URL(`/tab/${id}`, treadle.address).href);
  await tab.getByText("Ready.").waitFor();
};
const conversation = () => page.getByLabel("Conversation");

describe("a project that runs in the user's tab", () => {
  it("is labelled in its settings, where this is off by default", async () => {
    id = await page.evaluate(async () => {
      const made = await fetch("/api/projects", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Counter" }),
      });
      return ((await made.json()) as { id: string }).id;
    });
    await page.goto(new URL(`/p/${id}?settings=hosts`, treadle.address).href);
    const place = page.getByRole("checkbox", { name: "Run it in a tab of mine" });
    expect(await place.isChecked()).toBe(false);
    await page.getByText(/commercial use needs a licence/).waitFor();
    await place.click();
    await page.getByRole("link", { name: "Open the tab" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("waits for the tab if there is none, and says where to open it", async () => {
    await person.sendMessage("Make a counter");
    await conversation()
      .getByText(
        `Waiting for your tab, in which this project runs: open ${new URL(`/tab/${id}`, treadle.address).href}`,
      )
      .first()
      .waitFor();
    await picture(page, "tab-awaited");
  });

  it("says what it waits for if the container does not start", async () => {
    const waiting = await context.newPage();
    await waiting.route(/\/assets\/webcontainer-[\w-]+\.js$/, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: "export const WebContainer = { boot: () => new Promise(() => {}) };",
      }),
    );
    await waiting.clock.install();
    await waiting.goto(new URL(`/tab/${id}`, treadle.address).href);
    await waiting.getByText("Starting the container…").waitFor();
    expect(await waiting.getByText("It has not loaded yet.").count()).toBe(0);
    await waiting.clock.fastForward(60_000);
    await waiting.getByText("It has not loaded yet.").waitFor();
    await waiting.close();
  });

  it("continues when it is opened: an error thrown there is repaired, and it ends verified", async () => {
    await openTab();
    await person.sees("runs");
    await conversation().getByText("Asked for a repair").waitFor();
    await page.locator('[data-part="page"]').first().click();
    await page
      .getByText(/seen in the person's own tab/)
      .first()
      .waitFor();
    await picture(page, "tab-verified");
    await picture(tab, "tab-page");
    const { commands, repaired } = await tab.evaluate(() => {
      const { standIn } = globalThis as unknown as { standIn: StandIn };
      return { commands: standIn.commands, repaired: standIn.fetch(5173, "/main.js")?.body };
    });
    // Its server applies the repair without a restart.
    expect(commands).toEqual([
      expect.stringContaining("npm install"),
      "npm run dev",
      "npm run build",
      "npm run build",
    ]);
    expect(repaired).toContain("addEventListener");
    await tab.frameLocator("iframe[title='The running app']").getByText("Clicked 0 times").click();
    await tab
      .frameLocator("iframe[title='The running app']")
      .getByText("Clicked 1 times")
      .waitFor();
  });

  it("reports the revision's result, and its server's state, through the reverse channel", async () => {
    const reported = () =>
      page.evaluate(async (project) => {
        const headers = { "x-session-id": `tab.${project}` };
        const answer = await fetch("/build-result", { headers });
        return (await answer.json()) as Record<string, unknown>;
      }, id);
    await expect.poll(reported).toMatchObject({
      status: "success",
      stage: "page",
      revision: expect.stringMatching(/^[0-9a-f]{40}$/),
      visual: { title: "Counter", rendered: true },
    });
    // The user writes a configuration that makes its server exit.
    const write = (condition: Record<string, string>, content: string) =>
      page.evaluate(
        async ([project, headers, body]) => {
          const at = `/api/projects/${project}/files/vite.config.js`;
          const answer = await fetch(at, { method: "PUT", headers, body });
          return ((await answer.json()) as { version: string }).version;
        },
        [id, { "content-type": "text/plain", ...condition }, content] as const,
      );
    const version = await write({ "if-none-match": "*" }, "throw new Error();");
    await expect.poll(reported).toMatchObject({
      status: "failed",
      stage: "dev",
      exitCode: 1,
      stderr: expect.stringContaining("failed to load config"),
    });
    await write({ "if-match": `"${version}"` }, "export default {};");
  });

  it("has a terminal: a shell in the tab, whose changes reach the project", async () => {
    await page.getByRole("button", { name: "Terminal" }).click();
    const rows = page
      .getByRole("region", { name: "Terminals" })
      .getByRole("tabpanel")
      .filter({ visible: true })
      .locator(".xterm-rows");
    const shows = (what: string | RegExp) =>
      expect.poll(async () => (await rows.textContent())?.replaceAll("\u00a0", " ")).toMatch(what);
    await shows("~/project ❯");
    await page.keyboard.type("size");
    await page.keyboard.press("Enter");
    await shows(/\d{2,} by \d+/);
    await page.keyboard.type("echo from the shell > typed.txt");
    await page.keyboard.press("Enter");
    const typed = () =>
      page.evaluate(
        async (project) => (await fetch(`/api/projects/${project}/files/typed.txt`)).text(),
        id,
      );
    await expect.poll(typed).toContain("from the shell");
    await picture(page, "tab-terminal");
  });

  it("waits when the tab is closed under a command, and runs it anew in the next one", async () => {
    await person.sendMessage("Write the notes");
    const asked = () =>
      tab.evaluate(() => (globalThis as unknown as { standIn: StandIn }).standIn.waiting.length);
    await expect.poll(asked).toBe(1);
    await tab.close();
    await conversation()
      .getByText(/Waiting for your tab/)
      .first()
      .waitFor();
    await openTab();
    await expect.poll(asked).toBe(1);
    const { commands } = await tab.evaluate(() => ({
      commands: (globalThis as unknown as { standIn: StandIn }).standIn.commands,
    }));
    // The earlier installation was put there first.
    expect(commands[0]).toContain("npm install");
    await tab.evaluate(() =>
      (globalThis as unknown as { standIn: StandIn }).standIn.waiting.forEach((release) =>
        release(),
      ),
    );
    await conversation().getByText("The notes are written.").first().waitFor();
    const notes = await page.evaluate(
      async (project) => (await fetch(`/api/projects/${project}/files/notes.txt`)).text(),
      id,
    );
    expect(notes).toContain("hello");
  });

  it("has one tab: the newest one runs it, and the previous one says so", async () => {
    const before = tab;
    await openTab();
    await before.getByText("Another tab runs it now.", { exact: false }).waitFor();
    await before.close();
  });

  it("rejects other tabs: a socket without the cookie, or for a project that runs on the server", async () => {
    const upgrade = async (headers: Record<string, string>, project: string) => {
      const { port } = new URL(treadle.address);
      const path = `/api/projects/${project}/tab`;
      const asked = get({ port, path, headers: { ...UPGRADE, ...headers } });
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    const host = `localhost:${new URL(treadle.address).port}`;
    const cookie = (await context.cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const origin = `http://${host}`;
    const other = await page.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const made = await fetch("/api/projects", { method: "POST", headers, body: "{}" });
      return ((await made.json()) as { id: string }).id;
    });
    expect(await upgrade({ host, origin }, id)).toBe(401);
    expect(await upgrade({ host, cookie, origin: "http://evil.example" }, id)).toBe(403);
    expect(await upgrade({ host: "evil.example", cookie, origin }, id)).toBe(403);
    expect(await upgrade({ host, cookie, origin }, other)).toBe(409);
  });

  it("is isolated on that page only", async () => {
    expect(await tab.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  });
});

describe("the script that requests a port from inside the container", () => {
  const app = createServer((request, response) => {
    if (request.url === "/away") return void response.writeHead(302, { location: "/" }).end();
    // Left open, like server-sent events.
    if (request.url === "/events") return void response.writeHead(200).write("first");
    response.writeHead(201, { "content-type": "text/plain", "x-method": request.method! });
    request.pipe(response);
  });
  beforeAll(() => new Promise<void>((listening) => app.listen(0, "127.0.0.1", listening)));
  afterAll(() => {
    app.close();
    app.closeAllConnections();
  });

  /** A container that uses this machine's Node. */
  const onNode = {
    async spawn(command: string, args: string[]) {
      const child = spawn(command === "node" ? process.execPath : command, args);
      return { output: Readable.toWeb(child.stdout.setEncoding("utf8")) };
    },
  } as unknown as Parameters<typeof askInside>[0];
  const ask = (path: string, method = "GET", text = "") =>
    askInside(onNode, {
      kind: "request",
      port: (app.address() as AddressInfo).port,
      method,
      path,
      headers: {},
      base64: btoa(text),
    });

  it("returns status, headers and bytes, follows no redirects, and does not wait for the end", async () => {
    const sent = await ask("/", "POST", "a=1");
    expect([sent.status, atob(sent.base64)]).toEqual([201, "a=1"]);
    expect(sent.headers).toContainEqual(["x-method", "POST"]);
    expect((await ask("/away")).headers).toContainEqual(["location", "/"]);
    expect(atob((await ask("/events")).base64)).toBe("first");
  });

  it("gives the reason if nothing answers", async () => {
    await expect(
      askInside(onNode, {
        kind: "request",
        port: 1,
        method: "GET",
        path: "/",
        headers: {},
        base64: "",
      }),
    ).rejects.toThrow(/bad port|ECONNREFUSED/);
  });
});
