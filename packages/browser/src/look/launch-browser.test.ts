import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { browserCheck } from "./browser-check.ts";
import { findChromium } from "./find-chromium.ts";
import { launchBrowser } from "./launch-browser.ts";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-browsers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = { "/": "<title>T</title><p>here</p>" };
const look = (site: ReturnType<typeof createSite>) =>
  site.browser.look({ origin: ORIGIN, path: "/" });

it("takes the browser that is named, and no other in its place", async () => {
  const cacheDirectory = join(folder, "none");
  const named = join(folder, "browser");
  writeFileSync(named, "");
  chmodSync(named, 0o755);
  const env = { TREADLE_CHROMIUM: named, PATH: process.env["PATH"] };
  expect(await findChromium({ env, cacheDirectory })).toEqual({ executable: named, env: {} });
  env.TREADLE_CHROMIUM = join(folder, "missing");
  expect(await findChromium({ env, cacheDirectory })).toBeUndefined();
  const { browser } = createSite(pages, { env });
  const available = await browser.available();
  expect(available).toMatchObject({ ok: false });
  await expect(browser.look({ origin: ORIGIN, path: "/" })).rejects.toThrow(
    `There is no browser at ${env.TREADLE_CHROMIUM}, which TREADLE_CHROMIUM names.`,
  );
  // Installing another browser does not help.
  expect(browserCheck(available)).toMatchObject({ mend: "unset TREADLE_CHROMIUM" });
  await browser.close();
});

it("says why a browser does not start", async () => {
  const named = join(folder, "broken");
  writeFileSync(named, "#!/bin/sh\necho no such library >&2\nexit 127\n");
  chmodSync(named, 0o755);
  const { browser } = createSite(pages, { env: { TREADLE_CHROMIUM: named } });
  const { ok, message } = await browser.available();
  expect(ok).toBe(false);
  expect(message).toContain("The browser does not start");
  await browser.close();
});

it.runIf(process.platform === "linux" && process.arch === "x64")(
  "looks with the browser out of the npm package, from a folder that nobody else may enter",
  async () => {
    const closed = join(folder, "closed");
    const site = createSite(pages, { env: { PATH: "" }, cacheDirectory: join(closed, "cache") });
    execFileSync("mkdir", ["-m", "700", closed]);
    expect((await site.browser.available()).message).toContain("chromium-153");
    expect(await look(site)).toMatchObject({ rendered: true, text: "here" });
    await site.browser.close();
  },
);

it("looks with the machine's own browser where nobody names one", async () => {
  const site = createSite(pages, { env: { PATH: process.env["PATH"] } });
  expect(await look(site)).toMatchObject({ rendered: true, text: "here" });
  await site.browser.close();
});

it("looks without a sandbox where it may", async () => {
  const site = createSite(pages);
  const cacheDirectory = join(folder, "closed", "cache");
  const chromium = await findChromium({ env: process.env, cacheDirectory });
  if (!chromium) throw new Error("There is no browser here.");
  const { gateway } = site;
  const registry = { url: new URL("https://npm.example.com/") };
  const outside = { registry, registries: [], outside: { proxies: { except: [] } } };
  const launched = await launchBrowser({ chromium, tools: undefined, gateway, outside });
  const { browser, close } = launched;
  const [way] = launched.ways;
  way!.proxy.begin({ origin: ORIGIN, hosts: [], staticHosts: false });
  const page = await browser.newPage({ proxy: { server: way!.server } });
  await page.goto(`${ORIGIN}/`);
  expect(await page.innerText("p")).toBe("here");
  expect(await page.evaluate("fetch('http://127.0.0.1:9/').then((r) => r.status, String)")).toMatch(
    /Failed to fetch/,
  );
  await close();
  await site.browser.close();
});

it("starts anew after the browser died, and leaves nothing behind", async () => {
  const site = createSite(pages);
  expect((await look(site)).rendered).toBe(true);
  const [died] = browsers();
  process.kill(died!.pid, "SIGKILL");
  expect((await look(site)).rendered).toBe(true);
  const [second] = browsers();
  expect(second!.folder).not.toBe(died!.folder);
  await site.browser.close();
  await expect.poll(() => [died, second].filter((one) => existsSync(one!.folder))).toEqual([]);
  await expect(look(site)).rejects.toThrow("closed");
});

it.runIf(process.platform === "linux").each([
  ["has lost what starts its pages", "--type=zygote", "SIGKILL"],
  ["answers nothing any more", "--remote-debugging-pipe", "SIGSTOP"],
] as const)("starts anew after the browser %s", async (_, words, signal) => {
  const site = createSite(pages, { openMs: 5_000, endMs: 500 });
  expect((await look(site)).rendered).toBe(true);
  const [broken] = browsers();
  const within = below(broken!.pid).filter((pid) => commandOf(pid).includes(words));
  expect(within).not.toEqual([]);
  for (const pid of within)
    try {
      process.kill(pid, signal);
    } catch {
      // It ended together with the process that had started it.
    }
  expect((await look(site)).rendered).toBe(true);
  expect(browsers()[0]!.folder).not.toBe(broken!.folder);
  await site.browser.close();
  await expect.poll(() => existsSync(broken!.folder)).toBe(false);
});

it("a look that no answer reached leaves its browser to nobody", async () => {
  const site = createSite({ ...pages, "/silent": () => {} }, { lookMs: 2_000 });
  expect(await site.browser.look({ origin: ORIGIN, path: "/silent" })).toMatchObject({ status: 0 });
  expect(browsers()).toEqual([]);
  expect((await look(site)).rendered).toBe(true);
  await site.browser.close();
});

it.runIf(process.platform === "linux")(
  "is ended where it falls silent in the midst of a look, which is not held against the page",
  async () => {
    const asked = Promise.withResolvers<void>();
    const slow = { ...pages, "/slow": () => asked.resolve() };
    const site = createSite(slow, { silentMs: 1_000, endMs: 500 });
    const going = site.browser.look({ origin: ORIGIN, path: "/slow" }).then(
      ({ failedRequests: [first] }) => first?.reason,
      (error: Error) => error.message,
    );
    await asked.promise;
    const [silent] = browsers();
    for (const pid of below(silent!.pid))
      if (commandOf(pid).includes("--remote-debugging-pipe")) process.kill(pid, "SIGSTOP");
    expect(await going).toMatch(/closed/);
    expect((await look(site)).rendered).toBe(true);
    await site.browser.close();
    await expect.poll(() => existsSync(silent!.folder)).toBe(false);
  },
);

/** The browsers that this process started, and their folders. */
const browsers = () =>
  children(process.pid).flatMap((pid) => {
    const [folder] = /\/tmp\/treadle-look-\w+/.exec(commandOf(pid)) ?? [];
    return folder === undefined ? [] : [{ pid, folder }];
  });

function children(parent: number): number[] {
  try {
    const listed = execFileSync("ps", ["-o", "pid=", "--ppid", String(parent)], {
      encoding: "utf8",
    });
    return listed.trim().split(/\s+/).map(Number);
  } catch {
    // The process has no children.
    return [];
  }
}

const below = (pid: number): number[] => children(pid).flatMap((child) => [child, ...below(child)]);

const commandOf = (pid: number) => {
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
};

// The delays hit its start, the opening of a page, and a look at one.
it.concurrent.each([0, 0.3, 0.4, 1])(
  "A99 a browser that says what is no message after %f s is ended, and nothing else",
  async (seconds) => {
    const cacheDirectory = join(folder, "closed", "cache");
    const chromium = await findChromium({ env: process.env, cacheDirectory });
    if (!chromium) throw new Error("There is no browser here.");
    const taken = join(folder, `taken-${seconds}`);
    const environment = Object.entries(chromium.env).map(([name, value]) => `${name}='${value}' `);
    writeFileSync(
      taken,
      `#!/bin/bash\n(while sleep ${seconds}; do printf 'no message\\0' >&4; done) &\nexec env ${environment.join("")}'${chromium.executable}' "$@"\n`,
    );
    chmodSync(taken, 0o755);
    chmodSync(folder, 0o755);
    const { browser } = createSite(
      { "/": "<h1>x</h1><script>setInterval(() => fetch('/'), 50)</script>" },
      { env: { ...process.env, TREADLE_CHROMIUM: taken } },
    );
    const look = () => browser.look({ origin: ORIGIN, path: "/" });
    // If the invalid message comes during a look, that look fails or reports a page of which nothing was seen.
    for (let isOver = false; !isOver;)
      isOver = await look().then(
        ({ rendered }) => !rendered,
        (error: Error) => /closed|start/.test(error.message),
      );
    await browser.close();
  },
);
