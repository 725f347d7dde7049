import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectSummary, Publication } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WORKS } from "../../../browser/src/look/page-report.test-support.ts";
import type { Inspection, PreviewBrowser } from "@treadle/browser";
import type { Gateway } from "@treadle/gateway";
import { startTestServer, type TestServer } from "../server.test-support.ts";
import type { StoredPublication } from "../../../publish/src/publications/stored-publication.ts";

let server: TestServer;
let port: number;
beforeEach(async () => {
  server = await startTestServer();
  ({ port } = await server.listen());
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

/** A project whose last turn left these files verified. */
async function verified(files: Record<string, string>): Promise<string> {
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    for (const [path, text] of Object.entries(files))
      await workspace.files.write(toProjectPath(path), text);
    return { verdict: "verified" };
  });
  return server.project("Build it");
}

async function change(id: string, files: Record<string, string>): Promise<void> {
  const seen = (await server.events(id)).length;
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    for (const [path, text] of Object.entries(files))
      await workspace.files.write(toProjectPath(path), text);
    return { verdict: "verified" };
  });
  await server.api(`/api/projects/${id}/messages`, { json: { text: "Change it" } });
  await expect
    .poll(async () => (await server.events(id)).slice(seen).some(({ type }) => type === "run-end"))
    .toBe(true);
  await expect.poll(async () => (await detail(id)).working).toBe(false);
}

const detail = async (id: string) =>
  (await (await server.api(`/api/projects/${id}`)).json()) as { working: boolean };
const path = (id: string) => `/api/projects/${id}/publication`;
const state = async (id: string) => (await (await server.api(path(id))).json()) as Publication;

async function publish(
  id: string,
  json: { name?: string; anyway?: string } = {},
): Promise<Publication> {
  const answer = await server.api(path(id), { json });
  expect(answer.status, await answer.clone().text()).toBe(202);
  await expect
    .poll(async () => {
      const [newest] = (await state(id)).releases;
      return newest?.state === "building" || newest?.gate?.looking;
    })
    .toBeFalsy();
  return state(id);
}

const UNSEEN = [expect.stringMatching(/could not be looked at in a browser/) as string];

const get = (name: string, from = "/", headers: Record<string, string> = {}, body?: string) =>
  new Promise<{ status: number; text: string; cookies: string[] }>((resolve, reject) => {
    const asked = ask(
      {
        host: "127.0.0.1",
        port,
        path: from,
        method: body === undefined ? "GET" : "POST",
        headers: { host: `${name}.localhost:${port}`, ...headers },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode!,
            text,
            cookies: answer.headers["set-cookie"] ?? [],
          }),
        );
      },
    );
    asked.on("error", reject).end(body);
  });

const post = (name: string, body: string) => get(name, "/", {}, body);

const APP = {
  "package.json": JSON.stringify({ scripts: { start: "node server.js" } }),
  "server.js": "1",
};

describe("a full disk", () => {
  /** From now on nothing of a publication can be stored, until the returned function is called. */
  function fill(): () => void {
    const { lists } = server.store;
    const { put } = lists;
    lists.put = (list, name, value) =>
      list === "publications" ? Promise.reject(full()) : put.call(lists, list, name, value);
    return () => void (lists.put = put);
  }
  const full = () => Object.assign(new Error("No space is left."), { code: "ENOSPC" });

  it("starts no release: nothing is made, and there is none afterwards", async () => {
    const id = await verified({ "index.html": "<h1>Shop</h1>" });
    const free = fill();
    const answer = await server.api(path(id), { json: { name: "shop" } });
    expect(answer.status).toBe(507);
    expect(server.driver.opened.has(`${id}-release-1`)).toBe(false);
    expect((await server.api(path(id))).status).toBe(404);
    free();
    expect((await publish(id, { name: "shop" })).releases).toMatchObject([
      { number: 1, state: "ready" },
    ]);
  });

  it("does not go live with a release that could not be recorded: a restart would remove it with its visitors' data", async () => {
    const id = await verified({ "index.html": "<h1>Before</h1>" });
    await publish(id, { name: "shop" });
    await change(id, { "index.html": "<h1>After</h1>" });
    const { lists } = server.store;
    const { put } = lists;
    const shown: string[] = [];
    lists.put = async (list, name, value) => {
      const publication = list === "publications" ? (value as StoredPublication) : undefined;
      if (publication?.releases.at(-1)?.state !== "ready")
        return put.call(lists, list, name, value);
      shown.push((await get("shop")).text);
      throw full();
    };
    expect((await server.api(path(id), { json: {} })).status).toBe(202);
    await expect.poll(async () => (await state(id)).releases[0]?.state).toBe("failed");
    lists.put = put;
    expect(shown).toEqual([expect.stringContaining("Before")]);
    expect(await state(id)).toMatchObject({ current: 1, releases: [{ state: "failed" }, {}] });
    expect((await get("shop")).text).toContain("Before");
  });

  it("releases no held release, and restores no earlier one", async () => {
    const id = await verified({ "index.html": "<h1>Before</h1>" });
    await publish(id, { name: "shop" });
    const key = ["sk", "live", "9fKq2WmZ7bXc4Rt8YpL3"].join("_");
    await change(id, { "index.html": "<h1>Shop</h1>", "server.js": `const key = "${key}";\n` });
    expect((await publish(id)).releases[0]).toMatchObject({ state: "held" });
    let free = fill();
    const held = await server.api(`${path(id)}/releases/2/anyway`, { json: { by: "Ada" } });
    expect(held.status).toBe(507);
    expect(await state(id)).toMatchObject({ current: 1, releases: [{ state: "held" }, {}] });
    expect((await get("shop")).text).toContain("Before");
    free();
    await publish(id, { anyway: "Ada" });
    expect((await get("shop")).text).toContain("Shop");
    free = fill();
    const back = await server.api(`${path(id)}/current`, { json: { release: 1 } });
    expect(back.status).toBe(507);
    expect((await get("shop")).text).toContain("Shop");
    free();
  });
});

describe("settings that a full disk cannot store", () => {
  it("stay as before: domains, a port, the list of hosts, reports", async () => {
    const id = await verified({ "index.html": "<h1>Shop</h1>" });
    await publish(id, { name: "shop" });
    const before = await state(id);
    const { lists } = server.store;
    const { put } = lists;
    lists.put = () =>
      Promise.reject(Object.assign(new Error("No space is left."), { code: "ENOSPC" }));
    for (const [what, json] of [
      ["domains", { domains: ["shop.example.com"] }],
      ["port", { port: "free" }],
      ["reach", { own: { staticHosts: false, hosts: ["api.example.com"] } }],
      ["browser-reports", { on: false }],
    ] as const) {
      const answer = await server.api(`${path(id)}/${what}`, { method: "PUT", json });
      expect([what, answer.status]).toEqual([what, 507]);
    }
    lists.put = put;
    expect(await state(id)).toEqual(before);
  });
});

describe("findings before publication", () => {
  /** Assembled here, so that this file contains no key. */
  const key = ["sk", "live", "9fKq2WmZ7bXc4Rt8YpL3"].join("_");
  const FAULTY = { "index.html": "<h1>Shop</h1>", "server.js": `const key = "${key}";\n` };

  it("hold a release until a person decides, whose name is stored with it", async () => {
    const id = await verified({ "index.html": "<h1>Before</h1>" });
    const first = await publish(id, { name: "shop" });
    expect(first.releases[0]).toMatchObject({
      state: "ready",
      gate: { findings: [], unchecked: UNSEEN },
    });
    await change(id, FAULTY);
    const { current, releases } = await publish(id);
    expect(current).toBe(1);
    expect(releases[0]).toMatchObject({
      state: "held",
      gate: {
        findings: [
          { severity: "serious", title: "A Stripe secret key is written in a file." },
          { title: "A Stripe secret key is in what is published.", where: "server.js:1" },
        ],
      },
    });
    expect(releases[0]!.gate!.decided).toBeUndefined();
    expect((await get("shop")).text).toBe("<h1>Before</h1>");
    const refused = await server.api(`${path(id)}/current`, { json: { release: 2 } });
    expect(refused.status).toBe(404);
    const ready = await server.api(`${path(id)}/releases/1/anyway`, { json: { by: "Ada" } });
    expect(ready.status).toBe(404);
    const response = await server.api(`${path(id)}/releases/2/anyway`, { json: { by: "Ada" } });
    expect(response.status, await response.text()).toBe(202);
    await expect.poll(async () => (await state(id)).current).toBe(2);
    expect((await get("shop")).text).toBe("<h1>Shop</h1>");
    expect((await state(id)).releases[0]).toMatchObject({
      state: "ready",
      gate: { decided: { by: "Ada" } },
    });
    const report = await server.api(`${path(id)}/releases/2/report.md`);
    const text = await report.text();
    expect(text).toContain("Published all the same by Ada");
    expect(text).toContain("A Stripe secret key is in what is published.");
    expect(text).not.toContain(key);
  });

  it("are reported without holding the release, if a person decided that in advance", async () => {
    const id = await verified(FAULTY);
    const { current, releases } = await publish(id, { name: "anyhow", anyway: "Grace" });
    expect(current).toBe(1);
    expect(releases[0]!.gate).toMatchObject({ decided: { by: "Grace" } });
    expect(releases[0]!.gate!.findings).toHaveLength(2);
  });

  it("report missing resources and links of a site's page, which hold nothing", async () => {
    const id = await verified({
      "index.html": '<a href="/about">About</a><a href="gone.html">x</a><img src="cat.png" alt="">',
      "about.html": "<h1>About</h1>",
    });
    const { current, releases } = await publish(id, { name: "links" });
    expect(current).toBe(1);
    expect(
      releases[0]!.gate!.findings.map(({ severity, where }) => `${severity} ${where}`),
    ).toEqual(["minor /cat.png", "minor /gone.html"]);
  });

  it("still hold the release after a restart", async () => {
    const directory = mkdtempSync(join(tmpdir(), "treadle-held-"));
    try {
      await server.close();
      server = await startTestServer(directory);
      ({ port } = await server.listen());
      const id = await verified(FAULTY);
      await publish(id, { name: "later" });
      await server.close();
      server = await startTestServer(directory);
      ({ port } = await server.listen());
      expect((await state(id)).releases[0]).toMatchObject({ state: "held" });
      await server.api(`${path(id)}/releases/1/anyway`, { json: { by: "Ada" } });
      await expect.poll(async () => (await state(id)).current).toBe(1);
      expect((await get("later")).text).toBe("<h1>Shop</h1>");
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("a live release", () => {
  /** Looks through the gateway as the looking browser does, at the given address. */
  function startSeen(
    see: (text: string) => Promise<Pick<Inspection, "problems" | "links"> & Partial<Inspection>>,
  ) {
    const seen: { origin: string; text: string }[] = [];
    const gateway = {
      handles: () => true,
      handle: (_, response) => void response.writeHead(404).end(),
    } as Partial<Gateway> as Gateway;
    const started = startTestServer(undefined, {
      createGateway: () => gateway,
      createBrowser: ({ handle }) =>
        ({
          available: async () => ({ ok: false, message: "It looks at releases alone." }),
          async inspect({ origin }) {
            const { host } = new URL(origin);
            const front = createServer((request, response) => {
              request.headers.host = host;
              handle(request, response, { address: "198.18.0.1" });
            });
            await once(front.listen(0, "127.0.0.1"), "listening");
            const { port: at } = front.address() as AddressInfo;
            const text = await (await fetch(`http://127.0.0.1:${at}/`)).text();
            front.close().closeAllConnections();
            seen.push({ origin, text });
            return { report: WORKS, ...(await see(text)) };
          },
          close: async () => undefined,
        }) as Partial<PreviewBrowser> as PreviewBrowser,
    });
    return { seen, started };
  }

  it("is opened in a browser, at a host of its own, and nobody waits for the result", async () => {
    await server.close();
    const looked = Promise.withResolvers<Pick<Inspection, "problems" | "links">>();
    const { seen, started } = startSeen(() => looked.promise);
    server = await started;
    ({ port } = await server.listen());
    const id = await verified({ "index.html": "<h1>One</h1>", "about.html": "About" });
    await server.api(path(id), { json: { name: "seen" } });
    await expect.poll(() => seen).toEqual([{ origin: expect.any(String), text: "<h1>One</h1>" }]);
    expect((await get("seen")).text).toBe("<h1>One</h1>");
    expect(await state(id)).toMatchObject({
      current: 1,
      requests: 1,
      releases: [{ state: "ready", gate: { looking: true, findings: [] } }],
    });
    const label = new URL(seen[0]!.origin).hostname.split(".")[0]!;
    expect((await get(label)).status).toBe(404);
    looked.resolve({
      problems: [{ id: "label", help: "Fields need labels", places: ["#a", "#b"], count: 3 }],
      links: ["/about", "/gone.html", "/log-out"],
    });
    await expect.poll(async () => (await state(id)).releases[0]!.gate!.looking).toBeFalsy();
    expect((await state(id)).releases[0]!.gate).toMatchObject({
      findings: [
        {
          check: "accessibility",
          severity: "minor",
          title: "Fields need labels.",
          where: "/ #a, #b and 1 more",
        },
        { check: "page", where: "/gone.html" },
      ],
      unchecked: [],
    });
  });

  /** A project whose build writes a page. */
  function verifiedWithBuild(): Promise<string> {
    server.driver.perform = (workspace, command) => {
      if (command === "npm run build") workspace.put("dist/index.html", "<h1>Built</h1>");
      return undefined;
    };
    const scripts = { dev: "vite", build: "vite build" };
    return verified({ "index.html": "", "package.json": JSON.stringify({ scripts }) });
  }

  it("of a build is checked before it goes live, and held if its page does not work", async () => {
    await server.close();
    const thrown = { ...WORKS, uncaughtErrors: [{ message: "TypeError: x is not a function" }] };
    let isBroken = true;
    const { seen, started } = startSeen(async () => ({
      report: isBroken ? thrown : WORKS,
      problems: [],
      links: [],
    }));
    server = await started;
    ({ port } = await server.listen());
    const id = await verifiedWithBuild();
    await server.api(path(id), { json: { name: "built" } });
    await expect.poll(async () => (await state(id)).releases[0]!.state).toBe("held");
    const [held] = (await state(id)).releases;
    expect(held!.gate!.findings).toMatchObject([
      { check: "page", severity: "serious", title: expect.stringMatching(/x is not a function/) },
    ]);
    expect((await get("built")).status).toBe(404);
    isBroken = false;
    await server.api(path(id), { json: { name: "built" } });
    await expect.poll(async () => (await state(id)).current).toBe(2);
    expect((await get("built")).text).toBe("<h1>Built</h1>");
    // Once per release: checked releases are not opened again.
    expect(seen).toHaveLength(2);
  });

  it("of a build does not wait for a page that never becomes idle, but is still checked", async () => {
    const { timeout } = AbortSignal;
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) =>
      ms === 20_000 ? AbortSignal.abort() : timeout.call(AbortSignal, ms),
    );
    await server.close();
    const { seen, started } = startSeen(async () => ({ problems: [], links: [] }));
    server = await started;
    ({ port } = await server.listen());
    const id = await verifiedWithBuild();
    await publish(id, { name: "restless" });
    expect((await get("restless")).text).toBe("<h1>Built</h1>");
    expect(seen).toHaveLength(2);
  });

  it("that is removed during its check stays removed", async () => {
    await server.close();
    const looked = Promise.withResolvers<Pick<Inspection, "problems" | "links">>();
    const { seen, started } = startSeen(() => looked.promise);
    server = await started;
    ({ port } = await server.listen());
    const id = await verified({ "index.html": "<h1>One</h1>" });
    await server.api(path(id), { json: { name: "gone" } });
    await expect.poll(() => seen.length).toBe(1);
    const removed = server.api(path(id), { method: "DELETE" });
    looked.resolve({ problems: [], links: [] });
    expect((await removed).ok).toBe(true);
    expect((await server.api(path(id))).status).toBe(404);
  });
});

describe("a site", () => {
  it("no request fails, at 50 a second, while another release replaces it", async () => {
    const id = await verified({ "index.html": "1" });
    await publish(id, { name: "busy" });
    const asked: Promise<string>[] = [];
    const load = setInterval(
      () => asked.push(get("busy").then(({ status, text }) => `${status} ${text}`, String)),
      20,
    );
    try {
      await change(id, { "index.html": "2" });
      await publish(id);
      const seen = asked.length;
      await expect.poll(() => asked.length - seen).toBeGreaterThan(3);
    } finally {
      clearInterval(load);
    }
    expect([...new Set(await Promise.all(asked))].toSorted()).toEqual(["200 1", "200 2"]);
  });

  it("is the verified version, under its own name, and does not change with the files", async () => {
    const id = await verified({ "index.html": "<h1>One</h1>", ".env": "KEY=1", "README.md": "x" });
    const { address, name, current, releases } = await publish(id, { name: "my-site" });
    expect([name, address, current]).toEqual(["my-site", `http://my-site.localhost:${port}/`, 1]);
    expect(releases[0]).toMatchObject({ state: "ready", kind: "site" });
    expect(await get("my-site")).toMatchObject({ status: 200, text: "<h1>One</h1>" });
    for (const hidden of ["/.env", "/README.md", "/%2eenv"])
      expect((await get("my-site", hidden)).text).not.toMatch(/KEY|^x$/);
    await change(id, { "index.html": "<h1>Two</h1>" });
    expect((await get("my-site")).text).toBe("<h1>One</h1>");
    await publish(id);
    expect((await get("my-site")).text).toBe("<h1>Two</h1>");
    const back = await server.api(`${path(id)}/current`, { json: { release: 1 } });
    expect(((await back.json()) as Publication).current).toBe(1);
    expect((await get("my-site")).text).toBe("<h1>One</h1>");
    const { projects } = (await (await server.api("/api/projects")).json()) as {
      projects: ProjectSummary[];
    };
    const live = { address: `http://my-site.localhost:${port}`, release: 1 };
    expect(projects).toMatchObject([{ id, live }]);
  });

  it("is available again after a restart of the server", async () => {
    const directory = mkdtempSync(join(tmpdir(), "treadle-publish-"));
    try {
      await server.close();
      server = await startTestServer(directory);
      ({ port } = await server.listen());
      const id = await verified({ "index.html": "still here" });
      await publish(id, { name: "lasting" });
      // The state on the disk while another release is made.
      const [publication] = (await server.store.lists.all("publications")) as [StoredPublication];
      const half = join(server.directory, "projects", id, "releases/2");
      publication.releases.push({ ...publication.releases[0]!, number: 2, state: "building" });
      await server.treadle.close();
      const killed = await startTestServer(directory);
      await killed.store.lists.put("publications", id, publication);
      mkdirSync(join(half, "files"), { recursive: true });
      await killed.treadle.close();
      server = await startTestServer(directory);
      ({ port } = await server.listen());
      expect((await get("lasting")).text).toBe("still here");
      expect((await state(id)).releases[0]).toMatchObject({ number: 2, state: "failed" });
      // Nothing of it is left except the reason.
      await expect.poll(() => existsSync(half)).toBe(false);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("is unavailable once the project is deleted, and comes back with it", async () => {
    const id = await verified({ "index.html": "here" });
    await publish(id, { name: "gone" });
    await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
    expect((await get("gone")).text).not.toBe("here");
    const back = await server.api(`/api/projects/${id}/put-back`, { method: "POST" });
    expect(back.status, await back.text()).toBe(200);
    expect((await get("gone")).text).toBe("here");
  });

  it("is removed with its releases", async () => {
    const id = await verified({ "index.html": "here" });
    await publish(id, { name: "away" });
    const folder = join(server.directory, "projects", id, "releases");
    expect(existsSync(join(folder, "1/site/index.html"))).toBe(true);
    expect((await server.api(path(id), { method: "DELETE" })).status).toBe(200);
    expect((await get("away")).text).not.toBe("here");
    expect((await server.api(path(id))).status).toBe(404);
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ["it is taken away", (id: string) => path(id)],
    ["its project is deleted", (id: string) => `/api/projects/${id}`],
    ["its project is deleted, and can be put back", (id: string) => `/api/projects/${id}?undo=true`], // prettier-ignore
  ])("leaves nothing running once %s", async (_, address) => {
    server.driver.answer = () => (_request, response) => response.end("here");
    const id = await verified(APP);
    await publish(id, { name: "ended" });
    expect((await get("ended")).text).toBe("here");
    const running = () =>
      [...server.driver.opened].filter(([name, one]) => name.includes("-release-") && !one.stopped);
    expect(running()).toHaveLength(1);
    expect((await server.api(address(id), { method: "DELETE" })).status).toBe(200);
    expect(running()).toEqual([]);
  });

  it("keeps the last five releases", async () => {
    const id = await verified({ "index.html": "1" });
    await publish(id);
    for (const text of ["2", "3", "4", "5", "6"]) {
      await change(id, { "index.html": text });
      await publish(id);
    }
    const { releases } = await state(id);
    expect(releases.map(({ number }) => number)).toEqual([6, 5, 4, 3, 2]);
    await expect
      .poll(() => existsSync(join(server.directory, "projects", id, "releases/1")))
      .toBe(false);
  });
});

describe("an app", () => {
  beforeEach(() => {
    server.driver.answer = (workspace) => async (request, response) => {
      const revision = Buffer.from(
        workspace.contents.get(toProjectPath("server.js")) ?? [],
      ).toString();
      if (request.url === "/bad") response.statusCode = 500;
      if (request.url === "/headers")
        response.setHeader("set-cookie", ["a=1", "treadle-x=1", "b=2; Domain=localhost"]);
      response.end(
        `${revision} ${request.url === "/headers" ? JSON.stringify(request.headers) : ""}`,
      );
    };
  });

  it("starts in a separate sandbox, and its failures are reported with its release", async () => {
    const id = await verified(APP);
    expect(await publish(id, { name: "shop" })).toMatchObject({
      current: 1,
      app: "up",
      releases: [{ kind: "app", state: "ready" }],
    });
    const sandbox = server.driver.opened.get(`${id}-release-1`)!;
    expect(sandbox.started).toEqual(["npm start"]);
    expect((await get("shop")).text).toBe("1 ");
    expect((await get("shop", "/bad?key=secret")).status).toBe(200);
    expect((await get("shop", "/bad")).status).toBe(500);
    expect(await state(id)).toMatchObject({
      requests: 3,
      errors: [{ release: 1, text: "GET /bad was answered 500." }],
    });
  });

  it("replaces an unused project if the maximum is running, and makes room for the next", async () => {
    let ahead = 0;
    const real = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => real() + ahead);
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    const other = await server.project("Something else");
    const stopped = () =>
      [id, `${id}-release-1`, other].map((name) => server.driver.opened.get(name)!.stopped);
    server.driver.most = 3;
    const next = await server.project("One more");
    // All three were used recently.
    expect(server.driver.opened.has(next)).toBe(false);
    ahead += 20_000;
    await server.api(`/api/projects/${id}/files`);
    ahead += 5_000;
    await server.api(`/api/projects/${next}/files`);
    expect(stopped()).toEqual([false, true, false]);
    ahead += 20_000;
    await server.api(`/api/projects/${id}/files`);
    await server.api(`/api/projects/${next}/files`);
    expect((await get("shop")).text).toBe("1 ");
    expect(server.driver.opened.get(other)!.stopped).toBe(true);
  });

  it("A127 its pages report errors in browsers, without changes to its own policy or to other responses", async () => {
    const id = await verified(APP);
    server.driver.answer = () => (request, response) => {
      response.setHeader("content-type", "text/html");
      if (request.url === "/closed")
        response.setHeader("content-security-policy", "script-src 'none'");
      response.end("<head></head><p>hello");
    };
    await publish(id, { name: "shop" });
    const asPage = { "sec-fetch-dest": "document" };
    const page = await get("shop", "/", asPage);
    expect(page.text).toMatch(/^<head><script>.*<\/script><\/head><p>hello$/);
    expect((await get("shop", "/")).text).toBe("<head></head><p>hello");
    expect((await state(id)).browserReports).toBe("on");
    expect((await get("shop", "/closed", asPage)).text).toBe("<head></head><p>hello");
    expect((await state(id)).browserReports).toBe("refused");
    const post = (message: string, release = 7) =>
      new Promise<number>((resolve, reject) => {
        const host = `shop.localhost:${port}`;
        const headers = { host, origin: `http://${host}` };
        const from = "/.well-known/treadle-errors";
        ask({ host: "127.0.0.1", port, path: from, method: "POST", headers }, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode!));
        })
          .on("error", reject)
          .end(JSON.stringify({ release, page: "/cart?a=1", message, stack: "" }));
      });
    expect([await post("boom"), await post("boom")]).toEqual([204, 204]);
    await expect
      .poll(async () => (await state(id)).errors)
      .toMatchObject([{ kind: "browser", release: 1, text: "boom", page: "/cart", count: 2 }]);
    const off = await server.api(`${path(id)}/browser-reports`, {
      method: "PUT",
      json: { on: false },
    });
    expect(((await off.json()) as Publication).browserReports).toBe("off");
    expect((await get("shop", "/", asPage)).text).toBe("<head></head><p>hello");
    expect(await post("boom")).toBe(200);
    expect((await state(id)).errors).toMatchObject([{ count: 2 }]);
  });

  it("A111 sees nothing of Treadle's, and can only set its own cookies", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    const { token } = server.treadle;
    const { text, cookies } = await get("shop", "/headers", {
      cookie: `treadle-${port}=${token}; own=1`,
      authorization: `Bearer ${token}`,
      "x-forwarded-for": "1.2.3.4",
    });
    expect(text).not.toContain(token);
    expect(text).toContain('"cookie":"own=1"');
    expect(text).not.toContain("1.2.3.4");
    expect(cookies).toEqual(["a=1"]);
  });

  it("A135 is tested with two accounts in an isolated copy, before it has real data", async () => {
    const opened: { hosts: readonly string[]; started: string[]; asked: string[] }[] = [];
    server.driver.hasCopies = true;
    onTestFinished(() => void (server.driver.hasCopies = false));
    server.driver.answer = ({ started, options: { settings } }) => {
      const asked: string[] = [];
      opened.push({ hosts: settings!.hosts, started, asked });
      return (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(request.method === "GET" ? 200 : 403).end("Accounts");
      };
    };
    const source = 'app.post("/api/register", ({ body }) => keep(body.password));';
    const id = await verified({ ...APP, "server.js": source });
    await server.api(`/api/projects/${id}/settings/hosts`, { json: { host: "mail.example.com" } });
    opened.length = 0;
    const { current, releases } = await publish(id, { name: "people" });
    expect(current).toBe(1);
    // The release is made, held still, copied, and started.
    const [, held, tried, started] = opened;
    expect(held!.started).toEqual([]);
    expect(tried!.hosts).toEqual([]);
    expect(tried!.started).toEqual(["npm start"]);
    expect(tried!.asked).toContain("POST /api/register");
    expect(started!.hosts).toEqual(["mail.example.com"]);
    expect(started!.asked.filter((one) => one.startsWith("POST"))).toEqual([]);
    expect(releases[0]!.gate!.unchecked).toEqual([
      expect.stringMatching(/^No two accounts could be made at \/api\/register/),
      ...UNSEEN,
    ]);
  });

  it("does not remove usable earlier releases when it fails repeatedly", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    await change(id, { "server.js": "2" });
    await publish(id);
    server.driver.answer = () => (_, response) => void response.writeHead(503).end();
    for (const text of ["3", "4", "5", "6", "7"]) {
      await change(id, { "server.js": text });
      await publish(id);
    }
    const { current, releases } = await state(id);
    expect(current).toBe(2);
    expect(releases.map(({ number }) => number)).toEqual([7, 6, 5, 4, 2, 1]);
    expect(existsSync(join(server.directory, "projects", id, "releases/1"))).toBe(true);
  });

  it("does not go live if it does not respond well: the previous release stays", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    await change(id, { "server.js": "2" });
    server.driver.answer = () => (_, response) => void response.writeHead(503).end();
    const { current, releases } = await publish(id);
    expect(current).toBe(1);
    expect(releases[0]).toMatchObject({
      state: "failed",
      saidCode: { code: "release-answers", values: { status: "503" } },
    });
    expect((await get("shop")).text).toBe("1 ");
  });

  it("has the limits of published apps where it runs, and those of a project while it is made", async () => {
    const opened: (boolean | undefined)[] = [];
    const id = await verified(APP);
    server.driver.answer = ({ options: { isPublished } }) => {
      opened.push(isPublished);
      return (_, response) => response.end("here");
    };
    await publish(id, { name: "shop" });
    expect(opened.at(0)).toBe(false);
    expect(opened.at(-1)).toBe(true);
  });

  it("passes its data to the next release, and has its earlier data after going back", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    server.driver.opened.get(`${id}-release-1`)!.put("data/app.db", "rows");
    await change(id, { "server.js": "2" });
    await publish(id);
    const database = (number: number) => {
      const { contents } = server.driver.opened.get(`${id}-release-${number}`)!;
      return Buffer.from(contents.get(toProjectPath("data/app.db")) ?? []).toString();
    };
    expect(database(2)).toBe("rows");
    server.driver.opened.get(`${id}-release-2`)!.put("data/app.db", "more rows");
    await server.api(`${path(id)}/current`, { json: { release: 1 } });
    expect((await get("shop")).text).toBe("1 ");
    expect(database(1)).toBe("rows");
  });

  it("has its data again after a site in between", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    server.driver.opened.get(`${id}-release-1`)!.put("data/app.db", "rows");
    const plain = JSON.stringify({ scripts: {} });
    await change(id, { "package.json": plain, "index.html": "<h1>A site</h1>" });
    expect((await publish(id)).releases[0]).toMatchObject({ state: "ready", kind: "site" });
    await change(id, { ...APP, "server.js": "3" });
    expect((await publish(id)).releases[0]).toMatchObject({ state: "ready", kind: "app" });
    const { contents } = server.driver.opened.get(`${id}-release-3`)!;
    expect(Buffer.from(contents.get(toProjectPath("data/app.db")) ?? []).toString()).toBe("rows");
    expect((await get("shop")).text).toBe("3 ");
  });

  it("keeps files that people created in it, unless the next release contains a file of that name", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    for (const name of ["1", "2"])
      server.driver.opened.get(`${id}-release-1`)!.put(`public/${name}.svg`, "drawn");
    await change(id, { "server.js": "2", "public/2.svg": "of the sources" });
    await publish(id);
    await change(id, { "server.js": "3" });
    await publish(id);
    const { contents } = server.driver.opened.get(`${id}-release-3`)!;
    const text = (name: string) => Buffer.from(contents.get(toProjectPath(name)) ?? []).toString();
    expect([text("public/1.svg"), text("public/2.svg")]).toEqual(["drawn", "of the sources"]);
  });

  it("migrates the data it takes over; if that fails, the previous release continues with its own", async () => {
    const database = toProjectPath("data/app.db");
    const textOf = (number: number) =>
      Buffer.from(
        server.driver.opened.get(`${id}-release-${number}`)!.contents.get(database) ?? [],
      ).toString();
    const migrations: string[] = [];
    server.driver.perform = ({ options, contents }, command) => {
      if (!command.startsWith("treadle-db migrate")) return undefined;
      migrations.push(`${options.project.replace(/^.*-release-/, "")}: ${command}`);
      const before = Buffer.from(contents.get(database) ?? []).toString();
      if (before === "rows" && contents.has(toProjectPath("migrations/0003_bad.sql")))
        return {
          code: 1,
          output:
            "Ran migrations/0002_more.sql on data/app.db.\nmigrations/0003_bad.sql:2: no such column: age\n",
        };
      contents.set(database, Buffer.from(`${before}, migrated`));
      return { code: 0, output: "Ran migrations/0001_guests.sql on data/app.db." };
    };
    const id = await verified({ ...APP, "migrations/0001_guests.sql": "CREATE TABLE guests (a)" });
    await publish(id, { name: "shop" });
    expect(textOf(1)).toBe(", migrated");
    server.driver.opened.get(`${id}-release-1`)!.put("data/app.db", "rows");
    await change(id, { "server.js": "2" });
    expect((await publish(id)).current).toBe(2);
    expect([textOf(1), textOf(2)]).toEqual(["rows", "rows, migrated"]);
    expect(migrations).toEqual([
      "1: treadle-db migrate --no-copy",
      "2: treadle-db migrate --no-copy",
      "2: treadle-db migrate --no-copy",
    ]);
    await server.api(`${path(id)}/current`, { json: { release: 1 } });
    // Its data are unchanged: no migration runs.
    expect([migrations.length, textOf(1)]).toEqual([3, "rows"]);
    await change(id, { "server.js": "3", "migrations/0003_bad.sql": "x" });
    const { current, releases } = await publish(id);
    expect(current).toBe(1);
    expect(releases[0]).toMatchObject({
      state: "failed",
      said: "A migration failed: migrations/0003_bad.sql:2: no such column: age",
      output: expect.stringContaining("Ran migrations/0002_more.sql"),
    });
    expect((await get("shop")).text).toBe("1 ");
    expect(textOf(1)).toBe("rows");
  });

  it("runs its migrations on the same database as the preview, wherever that is", async () => {
    const ran: string[] = [];
    server.driver.perform = ({ options }, command, env) => {
      const output = options.project.includes("-release-") ? "" : "store/shop.sqlite\n";
      if (command === "treadle-db where") return { code: 0, output };
      if (command.startsWith("treadle-db migrate"))
        ran.push(`${options.project.replace(/^.*-release-/, "")}: ${env?.TREADLE_DB_FILE}`);
      return undefined;
    };
    const id = await verified({ ...APP, "migrations/0001_guests.sql": "CREATE TABLE guests (a)" });
    await publish(id, { name: "shop" });
    server.driver.opened.get(`${id}-release-1`)!.put("store/shop.sqlite", "rows");
    await change(id, { "server.js": "2" });
    expect((await publish(id)).current).toBe(2);
    expect(ran).toEqual(["1: store/shop.sqlite", "2: store/shop.sqlite", "2: store/shop.sqlite"]);
  });

  it("replaces data written during its check, with all files of a database", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    server.driver.opened.get(`${id}-release-1`)!.put("data/app.db", "rows");
    await change(id, { "server.js": "2" });
    const wal = toProjectPath("data/app.db-wal");
    let wrote = 0;
    server.driver.answer = (workspace) => (_, response) => {
      if (!workspace.contents.has(toProjectPath("data/app.db"))) {
        workspace.put("data/app.db", "its own");
        workspace.put(wal, "its own");
        wrote++;
      }
      response.end("2");
    };
    expect((await publish(id)).current).toBe(2);
    const { contents } = server.driver.opened.get(`${id}-release-2`)!;
    expect(wrote).toBe(1);
    expect(Buffer.from(contents.get(toProjectPath("data/app.db"))!).toString()).toBe("rows");
    expect(contents.has(wal)).toBe(false);
  });

  it("is held for its responses, asleep, and its errors meanwhile are no errors of the published app", async () => {
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    await change(id, { "server.js": 'app.get("/api/users", answer)' });
    server.driver.answer = () => (request, response) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(request.url === "/api/users" ? '[{"email":"ada@lovelace.org"}]' : "{}");
    const { current, releases, errors } = await publish(id);
    expect([current, errors]).toEqual([1, []]);
    expect(releases[0]).toMatchObject({
      state: "held",
      gate: { findings: [{ check: "access", severity: "serious", where: "/api/users" }] },
    });
    expect(server.driver.opened.get(`${id}-release-2`)!.stopped).toBe(true);
    expect((await get("shop")).text).toBe("1 ");
  });

  it("no request fails, at 50 a second and with bodies, while sites and apps replace each other, with data and without, and one does not start", async () => {
    server.driver.answer = (workspace) => async (request, response) => {
      const text = Buffer.from(workspace.contents.get(toProjectPath("server.js")) ?? []).toString();
      let body = "";
      for await (const piece of request) body += String(piece);
      if (text === "bad") response.statusCode = 503;
      response.end(`${text} ${body}`);
    };
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    const asked: Promise<string>[] = [];
    const load = setInterval(
      () =>
        asked.push(
          (asked.length % 3 === 0 ? post("shop", "a body") : get("shop")).then(
            ({ status, text }) => `${status} ${text}`,
            (error: Error) => error.message,
          ),
        ),
      20,
    );
    try {
      server.driver.opened.get(`${id}-release-1`)!.put("data/app.db", "rows");
      const someMore = async () => {
        const seen = asked.length;
        await expect.poll(() => asked.length - seen).toBeGreaterThan(6);
      };
      for (const text of ["2", "3", "bad"]) {
        await change(id, { "server.js": text });
        await publish(id);
        await someMore();
      }
      expect((await state(id)).releases[0]).toMatchObject({ state: "failed" });
      await server.api(`${path(id)}/current`, { json: { release: 1 } });
      await someMore();
    } finally {
      clearInterval(load);
    }
    const answers = [...new Set(await Promise.all(asked))].toSorted();
    expect(answers).toEqual(
      ["1", "2", "3"].flatMap((text) => [`200 ${text} `, `200 ${text} a body`]),
    );
  });
});

describe("going back", () => {
  it("and forth again while the old release still answers requests continues with the same one", async () => {
    const slow = Promise.withResolvers<void>();
    server.driver.answer = (workspace) => async (request, response) => {
      const text = Buffer.from(workspace.contents.get(toProjectPath("server.js")) ?? []).toString();
      if (request.url === "/slow") await slow.promise;
      response.end(text);
    };
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    await change(id, { "server.js": "2" });
    await publish(id);
    const second = server.driver.opened.get(`${id}-release-2`)!;
    const asked = get("shop", "/slow");
    await expect.poll(async () => (await state(id)).requests).toBe(1);
    const go = async (release: number) =>
      (await server.api(`${path(id)}/current`, { json: { release } })).status;
    expect([await go(1), (await get("shop")).text, await go(2)]).toEqual([200, "1", 200]);
    expect(server.driver.opened.get(`${id}-release-2`)).toBe(second);
    slow.resolve();
    expect((await asked).text).toBe("2");
    expect((await get("shop")).text).toBe("2");
    expect(second.stopped).toBe(false);
    // The replaced release sleeps.
    await expect.poll(() => server.driver.opened.get(`${id}-release-1`)!.stopped).toBe(true);
    expect(second.stopped).toBe(false);
  });
});

describe("domains of its own", () => {
  const put = async (id: string, domains: string[]) =>
    server.api(`${path(id)}/domains`, { method: "PUT", json: { domains } });
  const published = async (name: string) => {
    const id = await verified({ "index.html": `<h1>${name}</h1>` });
    await publish(id, { name });
    return id;
  };
  /** Sends a request as the reverse proxy in front of the server does. */
  const asked = (host: string, from = "/", headers: Record<string, string> = {}) =>
    get("", from, { ...headers, host });

  it("serve the app like its name does, until they are removed", async () => {
    const id = await published("shop");
    const set = await put(id, ["Shop.example.com", "shop.example.com", "café.example"]);
    expect(await set.json()).toMatchObject({
      domains: ["shop.example.com", "xn--caf-dma.example"],
      publicAddresses: ["https://shop.example.com/", "https://xn--caf-dma.example/"],
    });
    for (const host of ["shop.example.com", "SHOP.example.com:443", "xn--caf-dma.example"])
      expect((await asked(host)).text, host).toBe("<h1>shop</h1>");
    expect((await asked("other.example.com")).status).toBe(403);
    await put(id, []);
    expect((await asked("shop.example.com")).status).toBe(403);
    await server.api(path(id), { method: "DELETE" });
    expect((await put(id, ["shop.example.com"])).status).toBe(404);
  });

  it("belong to one app only, and cannot be names of this machine", async () => {
    const [own, other] = [await published("mine"), await published("other")];
    await put(own, ["shop.example.com"]);
    for (const [domain, status, code] of [
      ["shop.example.com", 409, "domain-taken"],
      ["localhost", 400, "bad-domain"],
      ["mine.localhost", 400, "bad-domain"],
      ["127.0.0.1", 400, "bad-domain"],
      ["https://a.example.com", 400, "bad-domain"],
    ] as const) {
      const answer = await put(other, [domain]);
      expect([answer.status, await answer.json()], domain).toMatchObject([
        status,
        { error: { code } },
      ]);
    }
    expect((await state(other)).domains).toEqual([]);
  });

  it("A111 get a certificate only when they are published, and only the reverse proxy may ask", async () => {
    await put(await published("shop"), ["shop.example.com"]);
    const { caddyfile } = (await (await server.api("/api/caddyfile")).json()) as {
      caddyfile: string;
    };
    expect(caddyfile).not.toContain(server.treadle.token);
    expect(caddyfile).toContain(`reverse_proxy 127.0.0.1:${port} {`);
    expect(caddyfile).toContain("header_up Host {http.request.tls.server_name}");
    const [, question] = /ask http:\/\/127\.0\.0\.1:\d+(\S+)/.exec(caddyfile)!;
    const statusOf = async (rest: string, headers = {}, from = question!) =>
      (await asked(`127.0.0.1:${port}`, `${from}${rest}`, headers)).status;
    expect(await statusOf("&domain=shop.example.com")).toBe(200);
    expect(await statusOf("&domain=other.example.com")).toBe(404);
    expect(await statusOf("&domain=localhost")).toBe(404);
    expect(await statusOf("")).toBe(404);
    expect(await statusOf("&domain=shop.example.com", { origin: "http://localhost" })).toBe(401);
    expect(await statusOf("&domain=shop.example.com", {}, "/published-domain?key=x")).toBe(401);
    expect((await asked("evil.example.com", `${question}&domain=shop.example.com`)).status).toBe(
      403,
    );
  });

  it("pass the client's address to the app, as given by the reverse proxy", async () => {
    server.driver.answer = () => (request, response) => {
      const { headers } = request;
      response.end(`${headers["x-forwarded-proto"]} ${headers["x-forwarded-for"]} ${headers.host}`);
    };
    const id = await verified(APP);
    await publish(id, { name: "shop" });
    await put(id, ["shop.example.com"]);
    const forwarded = { "x-forwarded-proto": "https", "x-forwarded-for": "6.6.6.6, 203.0.113.7" };
    expect((await asked("shop.example.com", "/", forwarded)).text).toBe(
      "https 203.0.113.7 shop.example.com",
    );
    expect((await asked(`shop.localhost:${port}`, "/", forwarded)).text).toMatch(
      /^http (?:::ffff:)?127/,
    );
  });
});

describe("refused requests, which publish nothing", () => {
  it.each([
    [
      "what nobody has seen to work",
      { verdict: "failed" as const },
      {},
      409,
      "not-verified",
      "publish-failed",
    ],
    [
      "a name that means something",
      { verdict: "verified" as const },
      { name: "www" },
      400,
      "bad-name",
      "app-name-bad",
    ],
    [
      "a name of two parts",
      { verdict: "verified" as const },
      { name: "a.b" },
      400,
      "bad-name",
      "app-name-bad",
    ],
  ])("%s", async (_, result, json, status, code, messageCode) => {
    server.turns.splice(0, Infinity, async (_request, { workspace }) => {
      await workspace.files.write(toProjectPath("index.html"), "x");
      return result;
    });
    const id = await server.project();
    const answer = await server.api(path(id), { json });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      error: { code, messageCode: { code: messageCode } },
    });
    expect((await server.api(path(id))).status).toBe(404);
  });

  it("a failed publication, with a one-sentence reason", async () => {
    server.turns.splice(0, Infinity, async ({ run }, _ports, { emit, workspace }) => {
      await workspace.files.write(toProjectPath("index.html"), "x");
      const evidence = untriedEvidence(await workspace.revision());
      evidence.parts.serve = { state: "failed", summary: "it said no.", at: 1 };
      emit({ type: "evidence", run, evidence });
      return { verdict: "failed" };
    });
    const answer = await server.api(path(await server.project()), { json: {} });
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).toMatch(
      /, and .*it said no\. Have it fixed first; nothing was published\.$/,
    );
  });

  it("another project's name", async () => {
    await publish(await verified({ "index.html": "x" }), { name: "mine" });
    const answer = await server.api(path(await verified({ "index.html": "y" })), {
      json: { name: "mine" },
    });
    expect(answer.status).toBe(409);
  });

  it("a project that only its development server can start, with the missing parts", async () => {
    const id = await verified({
      "package.json": JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vite: "8" } }),
    });
    expect(await publish(id)).toMatchObject({
      releases: [{ state: "failed", said: expect.stringContaining("development server") }],
    });
  });
});
