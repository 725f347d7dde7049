import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createServer as createVite, type ViteDevServer } from "vite";
import { COMMON_HEADERS } from "@treadle/common";
import { LOCAL_OWNER } from "../../accounts/src/access/authorize.ts";
import { checkAccess } from "../../server/src/access/check-access.ts";
import { startBrowser } from "../../browser/src/look/person-browser.test-support.ts";
import {
  startGateway,
  startUpstream,
  testPreview,
  until,
  type TestGateway,
  type TestPreview,
} from "./gateway.test-support.ts";

/** The workbench's value. */
const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups allow-pointer-lock";
const ALLOW = "cross-origin-isolated; fullscreen";
const TOKEN = "f00dfeed";

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()), 60_000);
afterAll(() => browser.close());

let context: BrowserContext;
let page: Page;
let gateway: TestGateway;
let preview: TestPreview;
let answer: RequestListener;
/** Requests to Treadle's own address, and whether they were admitted. */
let asked: { request: IncomingMessage; status: number }[];
const closers: (() => Promise<void>)[] = [];

/** Treadle's page: sets its cookie, embeds the preview, and serves its API with the same checks. */
// oxlint-disable-next-line typescript/no-misused-promises -- a failure fails the test
const app: RequestListener = async (request, response) => {
  const { headers, method = "GET" } = request;
  const verdict = await checkAccess(
    {
      method,
      upgrade: false,
      host: headers.host,
      origin: headers.origin,
      authorization: headers.authorization,
      cookie: headers.cookie,
      fetchSite: headers["sec-fetch-site"] as string | undefined,
    },
    {
      enter: async () => undefined,
      hasAccounts: false,
      identify: ({ value }) => (value === TOKEN ? LOCAL_OWNER : undefined),
      port: gateway.port,
    },
  );
  if (request.url?.startsWith("/api")) {
    asked.push({ request, status: verdict.ok ? 200 : verdict.status });
    response.writeHead(verdict.ok ? 200 : verdict.status).end();
    return;
  }
  response.writeHead(200, {
    "content-type": "text/html",
    ...COMMON_HEADERS,
    "set-cookie": `treadle-${gateway.port}=${TOKEN}; HttpOnly; SameSite=Strict; Path=/`,
  });
  response.end(
    `<title>Treadle</title><iframe sandbox="${SANDBOX}" allow="${ALLOW}" src="${origin()}/"></iframe>`,
  );
};
const origin = () => gateway.gateway.originOf("abc");
const framed = () => {
  const frame = page.frames().find((one) => one.url().startsWith(origin()));
  if (!frame) throw new Error("the preview is not embedded");
  return frame;
};

beforeEach(async () => {
  asked = [];
  const upstream = await startUpstream((request, response) => answer(request, response));
  preview = testPreview([upstream.port], { project: crypto.randomUUID() });
  gateway = await startGateway({ abc: preview }, { app });
  context = await browser.newContext();
  page = await context.newPage();
  closers.push(
    () => context.close(),
    () => gateway.close(),
    () => upstream.close(),
  );
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function serve(html: string): void {
  answer = (_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  };
}
const openApp = () => page.goto(`http://localhost:${gateway.port}/`);

describe("a hostile page", () => {
  test("A12 reads no cookie of Treadle's, and is refused by the API", async () => {
    let sent: string | undefined;
    answer = (request, response) => {
      sent = request.headers.cookie;
      response.setHeader("content-type", "text/html");
      response.end("<p>x");
    };
    await openApp();
    expect((await context.cookies()).map(({ name }) => name)).toEqual([`treadle-${gateway.port}`]);
    const api = `http://localhost:${gateway.port}/api/projects`;
    const outcome = await framed().evaluate(async (url) => {
      // The probe maps localhost to the project's own ports; a page can avoid the probe.
      const own = document.body.appendChild(document.createElement("iframe"));
      const call = (more: RequestInit) =>
        own.contentWindow!.fetch(url, { credentials: "include", ...more }).then(
          (one) => one.type,
          (error: Error) => error.name,
        );
      return {
        cookie: document.cookie,
        read: await call({}),
        write: await call({ method: "POST", headers: { "content-type": "application/json" } }),
        blind: await call({ method: "POST", mode: "no-cors", body: "{}" }),
        blindRead: await call({ mode: "no-cors" }),
      };
    }, api);
    expect(outcome).toMatchObject({ cookie: "", read: "TypeError", write: "TypeError" });
    expect(sent).toBeUndefined();
    expect(asked.length).toBeGreaterThanOrEqual(3);
    for (const { request, status } of asked) {
      expect(status).toBe(403);
      expect(request.headers.cookie).toBeUndefined();
    }
  });

  test("A13 sets no cookie for Treadle's host, by header or by script", async () => {
    answer = (_, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        "set-cookie": [`treadle-${gateway.port}=forged; Domain=localhost; Path=/`],
        "clear-site-data": '"cookies"',
      });
      response.end(
        `<p>x<script>document.cookie = "treadle-${gateway.port}=forged; domain=localhost; path=/"</script>`,
      );
    };
    await openApp();
    await page.goto(origin());
    await openApp();
    await page.evaluate(() => fetch("/api/me"));
    expect(asked.at(-1)?.request.headers.cookie).toBe(`treadle-${gateway.port}=${TOKEN}`);
  });

  test("A15 does not take over the whole window, and windows that it opens have no more rights", async () => {
    serve("<p>x");
    await openApp();
    const denied = await framed().evaluate(() => {
      try {
        if (window.top) window.top.location.href = "/gone";
        return "gone";
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(denied).toBe("SecurityError");
    const opened = context.waitForEvent("page");
    await framed().evaluate(() => void window.open("/popup"));
    const popup = await opened;
    await popup.waitForLoadState();
    const reach = await popup.evaluate(() => {
      try {
        const top = window.opener?.top as Window | undefined;
        if (top) top.location.href = "/gone";
        return "gone";
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(reach).toBe("SecurityError");
    expect(page.url()).toBe(`http://localhost:${gateway.port}/`);
    expect(await page.title()).toBe("Treadle");
  });

  test("A16 reaches no port of this machine through the gateway", async () => {
    const stranger = await startUpstream((_, response) => {
      response.setHeader("access-control-allow-origin", "*");
      response.end("secret");
    });
    closers.push(stranger.close);
    serve("<p>x");
    await openApp();
    const read = await framed().evaluate(
      async (urls) =>
        Promise.all(
          urls.map((url) =>
            fetch(url).then(
              (one) => one.text(),
              () => "refused",
            ),
          ),
        ),
      [gateway.gateway.originOf("abc", stranger.port), gateway.gateway.originOf("abd")],
    );
    expect(read).toEqual(["refused", "refused"]);
    expect(preview.connected).not.toContain(stranger.port);
  });
});

test("a login works in the embedded preview, separate from the same app in a tab of its own", async () => {
  answer = (request, response) => {
    if (request.url === "/login") response.setHeader("set-cookie", "sid=42; HttpOnly; Path=/");
    response.setHeader("content-type", "text/html");
    response.end(`<p>${request.headers.cookie ?? "nobody"}`);
  };
  await openApp();
  const me = () => framed().evaluate(async () => (await fetch("/me")).text());
  expect(await me()).toBe("<p>nobody");
  await framed().evaluate(() => fetch("/login", { method: "POST" }));
  expect(await me()).toBe("<p>sid=42");
  await page.goto(origin());
  expect(await page.textContent("p")).toBe("nobody");
});

test("a cookie set by a script in the embedded preview is stored, and can be removed", async () => {
  let sent: string | undefined;
  answer = (request, response) => {
    sent = request.headers.cookie;
    response.setHeader("content-type", "text/html");
    response.end("<p>x");
  };
  await openApp();
  const set = async (cookie: string) => {
    await framed().evaluate((value) => void (document.cookie = value), cookie);
    await framed().evaluate(async () => void (await fetch("/")));
    return [sent, await framed().evaluate(() => document.cookie)];
  };
  expect(await set("theme=dark; path=/; SameSite=Lax")).toEqual(["theme=dark", "theme=dark"]);
  expect(await set("theme=; path=/; max-age=0")).toEqual([undefined, ""]);
});

test("an app with common strict headers works, and can be looked at", async () => {
  answer = (request, response) => {
    if (request.url === "/app.js") {
      response.setHeader("content-type", "text/javascript");
      response.end(`document.body.textContent = "ran"`);
      return;
    }
    response.writeHead(200, {
      "content-type": "text/html",
      "content-security-policy":
        "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "origin-agent-cluster": "?1",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    });
    response.end("<body><script src=/app.js></script>");
  };
  await openApp();
  expect(await until(() => preview.reports.at(-1))).toMatchObject({
    text: "ran",
    uncaughtErrors: [],
    failedRequests: [],
  });
});

describe("features of a page in its own tab, and in the frame as well", () => {
  const body = (script: string) =>
    `<body><button>Go</button><p></p><script>const say = (text) => (document.querySelector("p").textContent = text);${script}</script>`;
  const shows = (text: string) => framed().waitForSelector(`p:text-is("${text}")`);

  test("a sign-in window can answer the page, whatever the app's policy for its windows", async () => {
    answer = (request, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        "cross-origin-opener-policy": "same-origin",
      });
      if (request.url === "/login")
        return void response.end(`<script>opener.postMessage("token", location.origin); close()</script>`); // prettier-ignore
      response.end(
        body(
          `onmessage = ({ data }) => data === "token" && say("signed in"); document.querySelector("button").onclick = () => window.open("/login", "login", "width=300,height=300").focus()`,
        ),
      );
    };
    await openApp();
    await framed().click("button");
    await shows("signed in");
  });

  test("a page that requests isolation is isolated", async () => {
    answer = (_, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      });
      response.end(body("say(new SharedArrayBuffer(16).byteLength)"));
    };
    await openApp();
    await shows("16");
    expect(await until(() => preview.reports.at(-1))).not.toHaveProperty("frameDenied");
  });

  test("a page locks the pointer", async () => {
    serve(
      body(
        `document.querySelector("button").onclick = () => document.body.requestPointerLock().then(() => say("locked"), (error) => say(error.name))`,
      ),
    );
    await openApp();
    await framed().click("button");
    await shows("locked");
  });
});

test("reports what a browser denies to framed pages as such", async () => {
  serve(`<p>x<script>
    setTimeout(() => { window.top.location.href = "/gone" });
    setTimeout(() => { throw new TypeError("own fault") });
  </script>`);
  await openApp();
  const report = await until(() => preview.reports.at(-1));
  expect(report!.uncaughtErrors.map(({ message, by }) => [message.split(":", 1)[0], by])).toEqual([
    ["SecurityError", "frame"],
    ["TypeError", undefined],
  ]);
});

test("a page that forbids framing can be framed by Treadle, and by nobody else", async () => {
  answer = (_, response) => {
    response.writeHead(200, { "content-type": "text/html", "x-frame-options": "DENY" });
    response.end("<p>framed");
  };
  await openApp();
  expect(await framed().textContent("p")).toBe("framed");
  const stranger = await startUpstream((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<iframe src="${origin()}"></iframe>`);
  });
  closers.push(stranger.close);
  await page.goto(`http://127.0.0.1:${stranger.port}`);
  // The frame is reported a little after the page that contains it.
  await until(() => page.frames()[1]?.url() === "chrome-error://chromewebdata/");
});

test("the page that waits for the app shows it as soon as it is up", async () => {
  serve("<h1>Here I am</h1>");
  const ports = preview.ports;
  preview.ports = [];
  await page.goto(`${origin()}/some/path?a=1`);
  expect(await page.textContent("h1")).toBe("The app is not running");
  preview.ports = ports;
  await page.waitForSelector("text=Here I am");
  expect(page.url()).toBe(`${origin()}/some/path?a=1`);
});

describe("a Vite dev server", () => {
  let folder: string;
  let vite: ViteDevServer;
  const write = (name: string, text: string) => writeFile(join(folder, name), text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hmr-"));
    await write(
      "index.html",
      `<!doctype html><title>v</title><div id=app></div><script type=module src=/main.js></script>`,
    );
    await write(
      "main.js",
      `import { text } from "./text.ts";\nconst show = (one) => (document.getElementById("app").textContent = one);\nshow(text);\nimport.meta.hot.accept("./text.ts", (next) => show(next.text));\n`,
    );
    await write("text.ts", `export const text = "first";\n`);
    vite = await createVite({
      root: folder,
      logLevel: "silent",
      configFile: false,
      server: { host: "127.0.0.1", port: 0, watch: { usePolling: true, interval: 50 } },
      cacheDir: join(folder, ".vite"),
    });
    await vite.listen();
    const address = vite.httpServer?.address();
    preview.ports = [typeof address === "object" && address ? address.port : 0];
    closers.push(
      () => vite.close(),
      () => rm(folder, { recursive: true, force: true }),
    );
  });

  test("applies a change in the embedded page without a reload", async () => {
    await openApp();
    await framed().waitForSelector("text=first");
    await framed().evaluate("window.kept = true");
    await write("text.ts", `export const text = "second";\n`);
    await framed().waitForSelector("text=second");
    expect(await framed().evaluate("window.kept")).toBe(true);
  });

  test("reports a mistake and its repair through hot reload", async () => {
    await openApp();
    await until(() => preview.reports.at(-1)?.text === "first");
    await write("text.ts", `export const text = ;\n`);
    const broken = await until(() => preview.reports.find(({ overlay }) => overlay));
    expect(broken.overlay).toContain("text.ts");
    await write("text.ts", `export const text = "mended";\n`);
    const probeReport = await until(() => {
      const last = preview.reports.at(-1);
      return last?.overlay === undefined && last?.text === "mended" && last;
    });
    expect(probeReport).toMatchObject({ uncaughtErrors: [], rendered: true });
  });

  test("forgets an error of an update after the next one", async () => {
    await openApp();
    await until(() => preview.reports.at(-1)?.text === "first");
    await write(
      "text.ts",
      `export const text = "odd";\nsetTimeout(() => { throw new Error("boom"); });\n`,
    );
    const broken = await until(() => preview.reports.find(({ uncaughtErrors: [first] }) => first));
    expect(broken.uncaughtErrors[0]?.message).toBe("Error: boom");
    await write("text.ts", `export const text = "fine";\n`);
    const probeReport = await until(() => {
      const last = preview.reports.at(-1);
      return last?.text === "fine" && last;
    });
    expect(probeReport.uncaughtErrors).toEqual([]);
  });
});
