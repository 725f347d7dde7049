import type { BrowserContext, Frame, Page, Request } from "playwright-core";
import { expect, it } from "vitest";
import { startBrowser } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

/**
 * What a previewed page may try against the workbench that shows it, and against another project's
 * preview: each in the machine's own Chromium, with two real projects. The page's code is between
 * `evil` and its end; the result is checked after it.
 */
let { treadle, page, context } = {} as Stage;
/**
 * A project with a hostile page, and one whose preview it must not reach although it knows the
 * address.
 */
let [one, other] = [] as unknown as [Project, Project];

interface Project {
  id: string;
  preview: string;
}

const SERVER = `
import { createHash } from "node:crypto";
import { createServer } from "node:http";
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://app");
  const html = { "content-type": "text/html" };
  if (pathname === "/login") response.writeHead(200, { ...html, "set-cookie": "sid=42; HttpOnly; SameSite=Lax" }).end("in");
  else if (pathname === "/me") response.writeHead(200, { "content-type": "text/plain", "access-control-allow-origin": request.headers.origin ?? "*", "access-control-allow-credentials": "true" }).end(request.headers.cookie ?? "nobody");
  else if (pathname === "/told.js") response.writeHead(200, { "content-type": "text/javascript" }).end("window.told = " + JSON.stringify(request.headers.cookie ?? "nobody"));
  else if (pathname === "/heads") response.writeHead(200, { ...html, "clear-site-data": '"*"', "service-worker-allowed": "/", "alt-svc": 'h2="localhost:1"', "set-cookie": searchParams.getAll("cookie") }).end("<p>heads");
  else if (pathname === "/sw.js") response.writeHead(200, { "content-type": "text/javascript" }).end(\`
    self.addEventListener("install", () => self.skipWaiting());
    self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    self.addEventListener("fetch", (event) => event.respondWith(new Response("<h1>taken over</h1>", { headers: { "content-type": "text/html" } })));\`);
  else response.writeHead(200, html).end("<!doctype html><title>app</title><h1>Here</h1>");
}).on("upgrade", (request, socket) => {
  const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
  const said = Buffer.from(request.headers.cookie ?? "nobody");
  socket.write("HTTP/1.1 101 x\\r\\nupgrade: websocket\\r\\nconnection: Upgrade\\r\\nsec-websocket-accept: " + accept + "\\r\\n\\r\\n");
  socket.write(Buffer.concat([Buffer.from([0x81, said.length]), said]));
}).listen(3000);
`;

async function makeProject(): Promise<Project> {
  const call = async <T>(path: string, method: string, body: object, headers = {}) => {
    const answer = await treadle.api(path, { method, headers, body: JSON.stringify(body) });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return (await answer.json()) as T;
  };
  const { id } = await call<{ id: string }>("/api/projects", "POST", {});
  const put = (path: string, text: string) =>
    call(`/api/projects/${id}/files/${path}`, "PUT", { text }, { "if-none-match": "*" });
  await put("server.mjs", SERVER);
  await put("package.json", JSON.stringify({ scripts: { dev: "node server.mjs" } }));
  await call(`/api/projects/${id}/server`, "POST", { action: "start" });
  const answer = await treadle.api(`/api/projects/${id}`);
  return { id, preview: ((await answer.json()) as { previewOrigin: string }).previewOrigin };
}

setStage({ env: () => ({ TREADLE_PREPARE: "none" }), browser: "system" }, async (stage) => {
  ({ treadle, page, context } = stage);
  [one, other] = [await makeProject(), await makeProject()];
  await page.goto(treadle.address);
});

/** Opens the workbench with a project's preview in its frame. */
async function show({ id, preview }: Project, at: Page = page): Promise<Frame> {
  await at.goto(`${treadle.origin}/p/${id}`);
  await at
    .frameLocator('iframe[title="Preview of the app"]')
    .getByRole("heading", { name: "Here" })
    .waitFor();
  return at.frames().find((frame) => frame.url().startsWith(preview))!;
}
const workbench = () => `${treadle.origin}/p/${one.id}`;
const projects = async () =>
  ((await (await treadle.api("/api/projects")).json()) as { projects: object[] }).projects.length;

/** Checks that the workbench still works: its own page is shown, and the user is signed in. */
async function expectUnharmed(): Promise<void> {
  expect(page.url()).toBe(workbench());
  expect(await page.evaluate(async () => (await fetch("/api/projects")).status)).toBe(200);
}

/** Everything requested of the workbench's window has been done, or refused. */
const settled = () =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

/** Gives a page the browser's original functions, which the gateway's script replaced. */
const bare = (frame: Frame) =>
  frame.evaluate(() => {
    const plain = document.body.appendChild(document.createElement("iframe")).contentWindow!;
    Object.assign(window, { plain });
  });

it("A15 A76 cannot navigate the workbench: by window, link, form, name or history", async () => {
  const evil = await show(one);
  await evil.evaluate(() => {
    const leave = (act: () => unknown) => {
      try {
        act();
      } catch {
        // Some are refused with an exception, others silently.
      }
    };
    const click = (html: string) => {
      document.body.insertAdjacentHTML("beforeend", html);
      (document.body.lastElementChild as HTMLElement).click();
    };
    leave(() => (top!.location.href = "/gone"));
    leave(() => parent.location.replace("/gone"));
    for (const name of ["_top", "_parent", "_unfencedTop"]) {
      leave(() => window.open("/gone", name));
      leave(() => click(`<a target=${name} href=/gone>x</a>`));
      leave(() => {
        document.body.insertAdjacentHTML("beforeend", `<form target=${name} action=/gone></form>`);
        (document.body.lastElementChild as HTMLFormElement).submit();
      });
    }
    for (const steps of [-1, -2, -5, 1]) leave(() => history.go(steps));
    leave(() => (document as unknown as { domain: string }).domain === "localhost");
  });
  await settled();
  await expectUnharmed();
});

it("A76 a window opened by it is neither signed in nor a way into the workbench", async () => {
  const evil = await show(one);
  const opened = context.waitForEvent("page");
  await evil.evaluate((address) => void Object.assign(window, { opened: window.open(address, "workbench") }), workbench()); // prettier-ignore
  const popup = await opened;
  await popup.waitForLoadState();
  // The workbench shares no window with unknown openers, and a window of a sandboxed frame is
  // unknown.
  expect(await popup.textContent("h1")).toMatch(/is blocked|Not signed in/);
  expect(await popup.evaluate(() => window.opener === null)).toBe(true);
  const seen = await evil.evaluate(() => {
    const { opened } = window as unknown as { opened: Window | null };
    try {
      return opened === null || opened.closed ? "gone" : opened.document.title;
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(["gone", "SecurityError"]).toContain(seen);
  await popup.close();
  await expectUnharmed();
});

it("A76 requests the API in every way that a page has, without being signed in", async () => {
  const evil = await show(one);
  await bare(evil);
  const before = await projects();
  const answers: string[] = [];
  const hear = async (request: Request) => {
    if (!request.url().startsWith(`${treadle.origin}/api`) || !isEvils(request)) return;
    const response = await request.response().catch(() => null);
    answers.push(`${request.resourceType()} ${response?.status() ?? "refused"}`);
  };
  /** Requests that belong to none of the workbench's own frames. */
  const isEvils = (request: Request) => {
    try {
      return request.frame() !== page.mainFrame();
    } catch {
      return true;
    }
  };
  const watched: Promise<void>[] = [];
  const listen = (request: Request) => void watched.push(hear(request));
  context.on("request", listen);
  const outcome = await evil.evaluate(
    async ({ api, id }) => {
      const { plain } = window as unknown as { plain: typeof globalThis };
      const add = (html: string) => document.body.insertAdjacentHTML("beforeend", html);
      const outcomes: string[] = [];
      const body = JSON.stringify({ prompt: "Build what I want" });
      const tries: [string, () => Promise<unknown>][] = [
        ["fetch", () => plain.fetch(`${api}/projects`, { credentials: "include" })],
        ["json", () => plain.fetch(`${api}/projects`, { method: "POST", credentials: "include", body, headers: { "content-type": "application/json" } })], // prettier-ignore
        ["put", () => plain.fetch(`${api}/projects/${id}/files/a`, { method: "PUT", credentials: "include", body })], // prettier-ignore
      ];
      for (const [name, act] of tries) outcomes.push(await act().then(() => name, () => "refused")); // prettier-ignore
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
        await plain.fetch(`${api}/projects`, { method: "POST", mode: "no-cors", credentials: "include", body: new Blob([body], { type }) }).catch(() => {}); // prettier-ignore
      plain.navigator.sendBeacon(`${api}/projects`, body);
      for (const as of ["prefetch", "preload", "modulepreload", "stylesheet", "dns-prefetch"])
        add(`<link rel=${as} as=script href="${api}/projects?${as}">`);
      add(`<script type=speculationrules>{"prerender":[{"source":"list","urls":["${api}/projects?prerender"]}]}</script>`); // prettier-ignore
      for (const html of [
        "<img src=X>",
        "<object data=X></object>",
        "<embed src=X>",
        "<video src=X></video>",
        "<iframe src=X></iframe>",
      ])
        // prettier-ignore
        add(html.replace("X", `"${api}/projects?embedded"`));
      add(`<iframe name=into></iframe><form target=into method=post enctype=text/plain action="${api}/projects"><input name='{"prompt":"x","a":"' value='"}'></form>`); // prettier-ignore
      (document.body.lastElementChild as HTMLFormElement).submit();
      const gone = (target: EventTarget) => new Promise<string>((resolve) => {
        target.addEventListener("open", () => resolve("open"));
        target.addEventListener("error", () => resolve("refused"));
      }); // prettier-ignore
      const socket = `${api.replace("http", "ws")}/projects/${id}`;
      for (const path of ["events", "terminals/x", ""])
        outcomes.push(await gone(new plain.WebSocket(`${socket}/${path}`)));
      outcomes.push(await gone(new plain.EventSource(`${api}/projects/${id}/events`, { withCredentials: true }))); // prettier-ignore
      return outcomes;
    },
    { api: `${treadle.origin}/api`, id: one.id },
  );
  expect(new Set(outcome)).toEqual(new Set(["refused"]));
  // The last request: all other ways were tried before it.
  await expect.poll(() => answers.some((answer) => answer.startsWith("eventsource"))).toBe(true);
  context.off("request", listen);
  await Promise.all(watched);
  expect(answers.length).toBeGreaterThan(12);
  expect(answers.filter((answer) => !/ (?:401|403|refused)$/.test(answer))).toEqual([]);
  expect(await projects()).toBe(before);
  await expectUnharmed();
});

it("A13 A76 neither sets nor deletes the workbench's cookies, in any spelling", async () => {
  const evil = await show(one);
  const port = new URL(treadle.origin).port;
  const names = [`treadle-${port}`, `__Host-treadle-${port}`, `__Secure-treadle-${port}`];
  const ends = ["Domain=localhost", "Domain=.localhost", "Path=/", "Path=/; Secure; Partitioned"];
  const cookies = names.flatMap((name) => ends.map((end) => `${name}=forged; ${end}`));
  const before = (await context.cookies(treadle.origin)).map(({ name, value }) => [name, value]);
  await evil.evaluate(async (lines) => {
    for (const line of lines) document.cookie = line;
    for (let at = 0; at < 300; at++) document.cookie = `flood${at}=x; Secure; SameSite=None`;
    const query = lines.map((line) => `cookie=${encodeURIComponent(line)}`).join("&");
    await fetch(`/heads?${query}`);
    await new Promise((resolve) => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.onload = resolve;
      frame.src = `/heads?${query}`;
    });
  }, cookies);
  expect((await context.cookies(treadle.origin)).map(({ name, value }) => [name, value])).toEqual(
    before,
  );
  await expectUnharmed();
});

it("A76 has its own service worker, caches, databases and channels", async () => {
  const victim = await context.newPage();
  await victim.goto(other.preview);
  await victim.evaluate(async () => {
    localStorage.setItem("secret", "other's");
    await caches.open("other's");
    indexedDB.open("other's");
    const channel = new BroadcastChannel("chat");
    channel.addEventListener("message", () => (document.title = "heard"));
    Object.assign(window, { channel });
  });
  const evil = await show(one);
  const reached = await evil.evaluate(async (address) => {
    const refused = (act: () => Promise<unknown>) => act().then(() => "done", (error: Error) => error.name); // prettier-ignore
    const channel = new BroadcastChannel("chat");
    for (let at = 0; at < 5; at++) channel.postMessage("hello");
    const scopes = ["/", `${address}/`, "http://localhost/"];
    const workers = [];
    for (const scope of scopes.slice(1))
      workers.push(await refused(() => navigator.serviceWorker.register("/sw.js", { scope })));
    workers.push(await refused(() => navigator.serviceWorker.register(`${address}/sw.js`)));
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
    let shared = "made";
    try {
      new SharedWorker(`${address}/sw.js`);
    } catch (error) {
      shared = (error as Error).name;
    }
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return { workers, shared, databases, caches: await caches.keys(), kept: { ...localStorage } };
  }, other.preview);
  expect(reached).toEqual({
    workers: ["SecurityError", "SecurityError", "SecurityError"],
    shared: "SecurityError",
    databases: [],
    caches: [],
    kept: {},
  });
  // It controls its own page only.
  await evil.evaluate(() => location.reload());
  await page.frameLocator('iframe[title="Preview of the app"]').getByText("taken over").waitFor();
  await victim.reload();
  expect(await victim.textContent("h1")).toBe("Here");
  expect(await victim.title()).toBe("app");
  await page.reload();
  expect(await page.title()).not.toBe("taken over");
  await expectUnharmed();
  await victim.close();
  await page.frameLocator('iframe[title="Preview of the app"]').getByText("taken over").waitFor();
  const again = page.frames().find((frame) => frame.url().startsWith(one.preview))!;
  await again.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations())
      await worker.unregister();
  });
});

it("A76 cannot use, read or act with another project's session, although it knows the address", async () => {
  const victim = await show(other);
  await victim.evaluate(async () => void (await fetch("/login", { method: "POST" })));
  expect(await victim.evaluate(async () => (await fetch("/me")).text())).toBe("sid=42");
  const evil = await show(one);
  const reached = await evil.evaluate(async (address) => {
    const mode = { credentials: "include" } as const;
    const outcome = {
      read: await (await fetch(`${address}/me`, mode)).text(),
      post: await (await fetch(`${address}/me`, { ...mode, method: "POST", body: "x" })).text(),
      frame: "",
      script: await new Promise<string>((resolve) => {
        const script = document.createElement("script");
        script.onload = () => resolve(String((window as unknown as { told?: string }).told));
        script.onerror = () => resolve("refused");
        script.src = `${address}/told.js`;
        document.body.append(script);
      }),
      nobody: await new Promise<string>((resolve) => {
        window.addEventListener("message", ({ data }) => resolve(String(data)), { once: true });
        const inner = document.createElement("iframe");
        inner.setAttribute("sandbox", "allow-scripts");
        inner.srcdoc = `<script>fetch("${address}/me", { credentials: "include" }).then((one) => one.text()).then((text) => parent.postMessage(text, "*"), (error) => parent.postMessage(error.name, "*"))</script>`;
        document.body.append(inner);
      }),
      socket: await new Promise<string>((resolve) => {
        const socket = new WebSocket(`${address.replace("http", "ws")}/chat`);
        socket.onmessage = ({ data }) => resolve(String(data));
        socket.onerror = () => resolve("refused");
      }),
    };
    const frame = document.createElement("iframe");
    await new Promise((resolve) => {
      frame.onload = resolve;
      frame.src = `${address}/`;
      document.body.append(frame);
    });
    try {
      outcome.frame = frame.contentWindow!.document.title;
    } catch (error) {
      outcome.frame = (error as Error).name;
    }
    for (const type of ["treadle:back", "treadle:reload"])
      frame.contentWindow!.postMessage({ type }, "*");
    return outcome;
  }, other.preview);
  expect(reached).toEqual({
    read: "nobody",
    post: "nobody",
    script: "nobody",
    nobody: "nobody",
    socket: "nobody",
    frame: "SecurityError",
  });
  const again = await show(other);
  expect(await again.evaluate(async () => (await fetch("/me")).text())).toBe("sid=42");
  await show(one);
  await expectUnharmed();
});

it("A76 its messages to the workbench change only its own address bar, and only to a path", async () => {
  const evil = await show(one);
  await evil.evaluate(async () => {
    const lines = ["javascript:alert(1)", "//evil.test/", "\\\\evil.test", "http://localhost/", `/${"x".repeat(9_999)}`];
    for (const path of lines) top!.postMessage({ type: "treadle:location", path, title: "x", hot: true }, "*");
    for (const data of [null, 1, [], { type: "treadle:seen", seen: [] }, { type: "treadle:seen", seen: { uncaughtErrors: [{}] } }, { __proto__: { type: "treadle:location" } }]) top!.postMessage(data, "*");
    // From an inner frame, which is not the displayed one.
    const inner = document.body.appendChild(document.createElement("iframe"));
    const loaded = new Promise((resolve) => (inner.onload = resolve));
    inner.srcdoc = `<script>top.postMessage({ type: "treadle:location", path: "/inner", title: "", hot: false }, "*")</script>`;
    await loaded;
  }); // prettier-ignore
  await settled();
  const shown = await page.getByRole("combobox", { name: /address|path/i }).inputValue();
  expect(["/", "//evil.test/"]).toContain(shown);
  await expectUnharmed();
});

it("A76 what is dragged from it into the conversation is text, which the user still has to send", async () => {
  const evil = await show(one);
  await evil.evaluate(() => {
    document.body.innerHTML = `<div draggable=true style="width:200px;height:200px">Drag me</div>`;
    document.body.addEventListener("dragstart", ({ dataTransfer }) => {
      const data = dataTransfer!;
      data.setData("text/plain", "Send it\n");
      data.setData("text/html", "<img src=x onerror='document.title = 1'>");
      data.items.add(new File(["echo"], "AGENTS.md"));
    });
  });
  const from = (await page
    .frameLocator('iframe[title="Preview of the app"]')
    .getByText("Drag me")
    .boundingBox())!;
  const field = page.getByRole("textbox", { name: "Say what to change" });
  const to = (await field.boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 10, { steps: 5 });
  await page.mouse.up();
  await settled();
  expect(await field.inputValue()).not.toContain("<");
  expect(await page.getByRole("list", { name: "Files" }).count()).toBe(0);
  expect((await treadle.api(`/api/projects/${one.id}/files/AGENTS.md`)).status).toBe(404);
  await expectUnharmed();
});

it("A76 gets no camera, microphone, location, clipboard contents, devices or screens, without a prompt", async () => {
  const evil = await show(one);
  const given = await evil.evaluate(async () => {
    const name = (act: () => Promise<unknown>) => act().then(() => "given", (error: Error) => error.name); // prettier-ignore
    const place = () => new Promise((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(resolve, () => reject(new Error()));
    }); // prettier-ignore
    const { usb, serial } = navigator as unknown as Record<string, { requestDevice(): Promise<unknown>; requestPort(): Promise<unknown> }>; // prettier-ignore
    return [
      await name(() => navigator.mediaDevices.getUserMedia({ video: true })),
      await name(() => navigator.mediaDevices.getUserMedia({ audio: true })),
      await name(() => navigator.mediaDevices.getDisplayMedia()),
      await name(place),
      await name(() => navigator.clipboard.readText()),
      await name(async () => usb!.requestDevice()),
      await name(async () => serial!.requestPort()),
      await name(async () => {
        if ((await Notification.requestPermission()) !== "granted") throw new Error();
      }),
    ];
  });
  expect(given).not.toContain("given");
});

it("A1 A76 a host name that resolves to this machine opens nothing", async () => {
  const rebound = await startBrowser(["--host-resolver-rules=MAP *.test 127.0.0.1"], "system");
  try {
    const visitor: BrowserContext = await rebound.newContext();
    const at = await visitor.newPage();
    const { port } = new URL(treadle.origin);
    const { hostname } = new URL(one.preview);
    for (const host of ["evil.test", `${hostname.split(".")[0]}.test`, "localhost.test"]) {
      const answer = await at.goto(`http://${host}:${port}/?token=${treadle.token}`);
      expect(answer?.status()).toBe(403);
      expect(await visitor.cookies()).toEqual([]);
      const api = await at.goto(`http://${host}:${port}/api/projects`);
      expect(api?.status()).toBe(403);
    }
  } finally {
    await rebound.close();
  }
});
