import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { ProjectFacts } from "@treadle/agent";
import type { Gate } from "@treadle/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { createBrowser } from "@treadle/browser";
import { ORIGIN } from "../../../browser/src/look/browser.test-support.ts";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { createSite } from "../publications/serve-site.ts";
import { askBy, askOver, sendOver, type Ask } from "./strangers/ask.ts";
import { checkRelease } from "./check-release.ts";
import { checkDrawn } from "./strangers/check-drawn.ts";
import { withFound } from "./gate-of.ts";
import { checkOwnedRows } from "./strangers/check-owned-rows.ts";
import { envOf, lookOver } from "./look-over.ts";
import { randomText, SECRETS, token } from "./planted.test-support.ts";

const APPS = join(dirname(fileURLToPath(import.meta.url)), "../../gate-apps");
const never = new AbortController().signal;

/** Keys are inserted here, so that no file of the repository contains one. */
const PLANTED: Record<string, string> = {
  ...SECRETS,
  random: randomText(28, 50),
  anon: token("anon"),
};

/** Answers for the app that is currently checked. */
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const browser = createBrowser({
  cacheDirectory: join(tmpdir(), "treadle-browser-cache"),
  env: process.env,
  gateway: {
    handle: (request, response) => answer(request, response),
    upgrade: (_request, socket) => void socket.destroy(),
    connect: async () => undefined,
  },
});
const { ok: canDraw, message } = await browser.available();
afterAll(() => browser.close());

/** Unpacks a copy of an app with its keys. */
function unpack(name: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "treadle-gate-"));
  cpSync(join(APPS, name), folder, { recursive: true });
  for (const path of pathsOf(folder)) {
    const text = readFileSync(path, "utf8");
    const planted = text.replace(/\{\{([^}]+)\}\}/g, (_, kind: string) => PLANTED[kind] ?? kind);
    if (planted !== text) writeFileSync(path, planted);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const pathsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the app's server with separate data, as for a release. */
async function withServer<Result>(
  folder: string,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const server = spawn(process.execPath, ["server.js"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], PORT: String(port), NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await expect.poll(async () => (await askOver(open(port))("/"))?.status).toBeDefined();
    return await work(port);
  } finally {
    server.kill("SIGKILL");
  }
}

const open = (port: number) => async () => connect(port, "127.0.0.1");

/** Runs all checks before and after an app is published. */
async function gateOver(name: string): Promise<Gate> {
  const { folder, remove } = unpack(name);
  try {
    const files = new Map(
      pathsOf(folder).map((path) => [relative(folder, path), readFileSync(path)]),
    );
    const isApp = files.has("server.js");
    const site = files.has("site/index.html") ? join(folder, "site") : folder;
    const workspace = await openWith(
      [...files].filter(([path]) => path !== "env" && !path.startsWith("site/")),
    );
    const env = files.get("env");
    const project = await openWith(env ? [[".env", env]] : []);
    const looking = await lookOver(workspace, await envOf(project), async () => ({}));
    if (files.has("package-lock.json")) looking.ask({} as ProjectFacts, never);
    const looked = await looking.done(isApp ? undefined : site);
    if (!isApp) {
      const served = createSite(site);
      const asked = askBy((request) => served.fetch(request));
      const gate = await checkRelease(asked, { ...looked, isApp, firstPageMB: 2, signal: never });
      answer = (request, response) => {
        void Promise.resolve(served.fetch(new Request(`http://localhost${request.url}`))).then(
          async (given) => {
            response.writeHead(given.status, Object.fromEntries(given.headers));
            response.end(Buffer.from(await given.arrayBuffer()));
          },
        );
      };
      return await drawn(gate, asked);
    }
    // The test accounts are only in data that is thrown away.
    const tried = await withServer(folder, (port) =>
      checkOwnedRows(sendOver(open(port)), looked.sources, never),
    );
    return await withServer(folder, async (port) => {
      const asked = askOver(open(port));
      const gate = await checkRelease(asked, {
        ...looked,
        gate: withFound(looked.gate, tried),
        isApp,
        firstPageMB: 2,
        signal: never,
      });
      answer = (request, response) => {
        const { url: path, method, headers } = request;
        const upstream = ask({ port, host: "127.0.0.1", path, method, headers }, (given) => {
          response.writeHead(given.statusCode!, given.headers);
          given.pipe(response);
        });
        upstream.on("error", () => response.destroy());
        request.pipe(upstream);
      };
      return await drawn(gate, asked);
    });
  } finally {
    remove();
  }
}

async function openWith(files: [string, Uint8Array][]) {
  const workspace = await new FakeDriver().open({
    project: "p",
    directory: "/p",
    stateDirectory: "/p.state",
    settings: { hosts: [], staticHosts: true, secrets: [] },
  });
  for (const [path, bytes] of files) workspace.put(path, bytes);
  return workspace;
}

async function drawn(gate: Gate, asked: Ask): Promise<Gate> {
  if (!canDraw) return gate;
  const inspect = () => browser.inspect({ origin: ORIGIN, path: "/" });
  return withFound(gate, await checkDrawn(inspect, asked));
}

const titles = ({ findings }: Gate) =>
  // Chromium gives the line of the link, or the first one if its preload scanner had found it.
  findings.map(({ severity, title, where }) =>
    `${severity} ${title} ${where}`.replace(" @ /:15:1.", " @ /:1:1."),
  );

const FAULTS: Record<string, string[]> = {
  "keys-in-sources": [
    "serious An Anthropic key is written in a file. config.js:1",
    "serious An OpenAI key is written in a file. config.js:1",
    "serious A Stripe secret key is written in a file. config.js:3",
    "serious A Google key is written in a file. config.js:2",
    "serious A Slack token is written in a file. config.js:2",
    "serious An AWS access key is written in a file. deploy.sh:1",
    "serious A GitHub token is written in a file. deploy.sh:2",
    "serious The password of a database is written in a file. deploy.sh:3",
  ],
  "keys-in-settings": [
    "serious An OpenAI key is written in a file. app.js:1",
    "serious An Anthropic key is written in a file. app.js.map:1",
    "serious A GitHub token is written in a file. style.css:1",
    "serious An OpenAI key is in what is published. app.js:1",
    "serious An Anthropic key is in what is published. app.js.map:1",
    "serious A GitHub token is in what is published. style.css:1",
  ],
  "secret-by-name": ["serious A secret of the app's own is written in a file. server.js:4"],
  "people-as-file": [
    "serious Anybody can read people's e-mail addresses without signing in. /api/members/export",
  ],
  "open-table": [
    "serious Anybody can read people's e-mail addresses without signing in. /api/customers",
  ],
  "open-admin": ["serious A page called admin opens without a sign-in. /admin"],
  "admin-done": [
    "serious An admin action is done for anybody, without a sign-in. POST /api/admin/clear",
  ],
  "gpl-package": [
    "serious A package is under GPL-3.0-only, which asks for your sources too. package-lock.json: graphs-gpl@1.0.0",
  ],
  "secret-in-bundle": [
    "serious The value of MAIL_PASSWORD is in what is published. assets/index.js:2",
  ],
  "hostile-origin": [
    "serious Any other site can read it in the name of whoever is signed in. /api/me",
  ],
  "bare-headers": [
    "minor Headers are missing that keep other sites from misusing it. /",
    "minor Scripts of the page can read the cookie that says who is signed in. / session_id",
  ],
  "dead-links": [
    "serious The published page does not work: not run: Refused to apply style from '/style.css' because its MIME type ('text/plain') is not a supported stylesheet MIME type, and strict MIME checking is enabled. @ /:1:1. /",
    "minor The page requests a file that does not exist. /style.css",
    "minor The page requests a file that does not exist. /roses.jpg",
    "minor A link leads to a page that does not exist. /shop.html",
    "minor A link leads to a page that does not exist. /people.html",
  ],
  overweight: [
    "minor The first page weighs 3.1 MB, and its budget is 2 MB. /mountain.jpg (3.1 MB)",
  ],
  "rows-by-id": [
    "serious One signed-in person can read what another has written. GET /api/notes/:id",
    "serious One signed-in person can delete what another has written. DELETE /api/notes/:id",
  ],
  "taken-apart": [
    "serious Anybody can read people's e-mail addresses without signing in. /api/customers",
    "serious A page called admin opens without a sign-in. /admin",
  ],
  "rows-by-query": [
    "serious One signed-in person can read what another has written. GET /api/trips?userId=",
  ],
  "rows-listed": ["serious One signed-in person can read what another has written. GET /api/notes"],
};

describe("finds the planted fault of an app, and nothing else", () => {
  it.each(Object.entries(FAULTS))("%s", async (name, expected) => {
    const gate = await gateOver(`faulty/${name}`);
    expect(titles(gate)).toEqual(expected);
    expect(gate.unchecked).toEqual([]);
  });

  it("inaccessible-form", async () => {
    const found = titles(await gateOver("faulty/inaccessible-form"));
    expect(found.slice(0, 2)).toEqual([
      "minor The page does not say which language it is in. /",
      expect.stringContaining("minor A picture has no text for those who cannot see it. /"),
    ]);
    if (!canDraw) return console.warn(`Only read, not drawn: ${message}`);
    expect(found.slice(2)).toEqual([
      expect.stringMatching(/^minor Buttons must have discernible text/),
      expect.stringMatching(/^minor Elements must meet minimum color contrast/),
      expect.stringMatching(/^minor <html> element must have a lang/),
      expect.stringMatching(/^minor Images must have alternat/),
      expect.stringMatching(/^minor Form elements must have labels/),
    ]);
  });
});

describe("reports nothing in a correct app", () => {
  it.each(readdirSync(join(APPS, "clean")))("%s", async (name) => {
    expect(await gateOver(`clean/${name}`)).toEqual({ findings: [], unchecked: [] });
  });
});

it("each of the apps in the folder is checked", () => {
  expect([...Object.keys(FAULTS), "inaccessible-form"].sort()).toEqual(
    readdirSync(join(APPS, "faulty")).sort(),
  );
});
