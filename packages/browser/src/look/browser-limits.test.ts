import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findChromium } from "./find-chromium.ts";
import { browserLimits, launchBrowser } from "./launch-browser.ts";
import { attackFromBrowser } from "./browser-attacks.ts";
import { createSite } from "./browser.test-support.ts";
import { findSandboxTools } from "./sandbox-tools.ts";

const OUTSIDE = {
  registry: { url: new URL("https://npm.example.com/") },
  registries: [],
  outside: { proxies: { except: [] } },
};

it("A50 the browser has limits and a system call filter; each page has a sandbox of the browser's own if possible", async () => {
  const site = createSite({});
  const chromium = await findChromium({
    env: process.env,
    cacheDirectory: join(tmpdir(), "treadle-browser-cache"),
  });
  const tools = await findSandboxTools(process.env);
  if (!chromium || !tools) throw new Error("There is no browser, or no sandbox for it.");
  const launched = await launchBrowser({
    chromium,
    tools,
    gateway: site.gateway,
    outside: OUTSIDE,
  });
  const status = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/status`, "utf8");
    } catch {
      return "";
    }
  };
  const command = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  const page = await launched.browser.newPage();
  // Only if the machine has usable control groups.
  const programs = (launched.groups?.pids() ?? []).filter((pid) =>
    command(pid).includes("--type="),
  );
  if (launched.groups?.controls.has("pids")) expect(programs.length).toBeGreaterThan(3);
  for (const pid of programs) expect(status(pid)).toMatch(/^$|^Seccomp:\s2$/m);
  if (launched.groups?.controls.has("cpu")) {
    const counted = launched.groups.folders.find((folder) =>
      ["cpu.cfs_quota_us", "cpu.max"].some((file) => existsSync(join(folder, file))),
    );
    const held = readFileSync(join(counted!, "cgroup.procs"), "utf8").split("\n");
    for (const pid of programs) expect(held).toContain(String(pid));
    // It counts among the projects, which together leave the server its share of the processor.
    const weight = ["cpu.shares", "cpu.weight"].find((file) => existsSync(join(dirname(counted!), file)))!; // prettier-ignore
    const all = Number(readFileSync(join(dirname(counted!), weight), "utf8"));
    expect(all).toBe(weight === "cpu.shares" ? 8 * 1_024 : 800);
  }
  const renderers = programs.filter((pid) => command(pid).includes("type=renderer"));
  // The filters are those of the machine, of the sandbox, and of the browser's own sandbox.
  if (programs.length > 0 && renderers.length === 0) throw new Error("There is no page's process.");
  for (const pid of renderers) expect(status(pid)).toMatch(/^NSpid:(?:\s+\d+){4}$/m);
  await page.close();
  await launched.close();
  await site.browser.close();
});

it(
  "A50 a page that uses up its resources is ended, and the next page is looked at",
  { timeout: 240_000 },
  async () => {
    expect(browserLimits().processes).toBeLessThanOrEqual(400);
    for (const { what, outcome, output } of await attackFromBrowser({ env: process.env }))
      expect(outcome, `${what}: ${output}`).not.toBe("through");
  },
);
