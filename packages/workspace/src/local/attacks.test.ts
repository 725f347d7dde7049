/** Attacks by hostile code inside that take more than one command; the others are in ../attacks. */
import { toProjectPath } from "@treadle/protocol/project-path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../contract/helpers.test-support.ts";
import type { Workspace, WorkspaceDriver, WorkspaceNotice } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { controlGroupFolders } from "../host/control-groups.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

let folder: string;
let driver: WorkspaceDriver;
let workspace: Workspace;
const notices: WorkspaceNotice[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-attacks-"));
  chmodSync(folder, 0o755);
  driver = createLocalDriver({
    cacheDirectory: join(folder, "cache"),
    env: process.env,
  });
  workspace = await driver.open({
    project: `attacks-${process.pid}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  workspace.listen((notice) => notices.push(notice));
}, 60_000);

afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the registry, with the host's login", () => {
  let upstream: Server;
  let own: Workspace;
  const asked: { url: string; login: string | undefined; method: string }[] = [];
  let ownDriver: WorkspaceDriver;
  const PATH = "/api/npm/private/";

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      asked.push({
        url: request.url!,
        login: request.headers.authorization,
        method: request.method!,
      });
      response.setHeader("set-cookie", "a=b");
      response.end(JSON.stringify({ asked: request.url }));
    }).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const { port } = upstream.address() as AddressInfo;
    const home = join(folder, "npm-home");
    mkdirSync(home);
    writeFileSync(
      join(home, ".npmrc"),
      `registry=http://127.0.0.1:${port}${PATH}\n//127.0.0.1:${port}${PATH}:_authToken=\${MY_TOKEN}\n`,
    );
    ownDriver = createLocalDriver({
      cacheDirectory: join(folder, "cache-2"),
      env: { PATH: process.env.PATH, HOME: home, MY_TOKEN: "npm_the_login" },
    });
    own = await ownDriver.open({
      project: `registry-${process.pid}`,
      directory: join(folder, "registry"),
      stateDirectory: join(folder, "registry-state"),
    });
  }, 60_000);
  afterAll(async () => {
    await ownDriver.close();
    upstream.close();
  });
  const fetchInside = async (path: string, flags = "") =>
    (
      await own.run(
        `curl -sS -m 5 --path-as-is ${flags} "$(npm config get registry 2>/dev/null | sed 's#/api/.*##')${path}" 2>&1`,
      )
    ).output;

  it("adds the login to requests below the registry's path, and never reveals it inside", async () => {
    expect(await fetchInside(`${PATH}react`)).toContain("asked");
    expect(asked.at(-1)).toMatchObject({ url: `${PATH}react`, login: "Bearer npm_the_login" });
    const all = (
      await own.run(
        "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; cat ~/.npmrc .npmrc 2>/dev/null; npm config ls -l 2>/dev/null",
      )
    ).output;
    expect(all).not.toContain("npm_the_login");
  });

  it("reveals nothing about the account, and sends the login to no other path of that host", async () => {
    const before = asked.length;
    for (const path of [
      `${PATH}-/whoami`,
      `${PATH}/-/whoami`,
      `${PATH}x/../-/npm/v1/tokens`,
      `${PATH}%2d/whoami`,
      `${PATH}x/..%2f..%2f..%2fuser`,
      "//evil.com/x",
    ])
      await fetchInside(path);
    await fetchInside("/api/v4/user");
    for (const { url, login } of asked.slice(before))
      expect([url, login]).toEqual([url, undefined]);
  });

  it("an invalid request does not end the server", async () => {
    const { hostname, port } = new URL("http://127.0.0.1:4873");
    for (const line of [
      "GET http://127.0.0.1/x HTTP/1.1",
      "GET https://127.0.0.1/x HTTP/1.1",
      "GET ftp://127.0.0.1/x HTTP/1.1",
      "GET * HTTP/1.1",
      "GET //: HTTP/1.1",
      "GET /%ff%00 HTTP/1.1",
      "GARBAGE",
    ])
      await own.run(
        `node -e 'const s=require("net").connect(${port},"${hostname}",()=>s.end(${JSON.stringify(line)}+"\\r\\nHost: x\\r\\n\\r\\n"));s.resume();s.on("close",()=>process.exit());s.on("error",()=>process.exit())'`,
      );
    expect(await fetchInside(`${PATH}still-there`)).toContain("still-there");
  });
});

describe("the end of the sandbox", () => {
  it("replaces the sandbox after generated code has killed its guest", async () => {
    const lost = () => notices.filter((notice) => notice.type === "lost").length;
    const before = lost();
    // Both run as the same user, so nothing in the sandbox can prevent it.
    await workspace.run("kill -9 $(pgrep -f guest.mjs | grep -vx 1)").catch(() => undefined);
    await eventually(() => lost() > before);
    expect((await workspace.run("echo anew")).output).toBe("anew\n");
  });
});

describe("cleanup", () => {
  it("F8 a killed server leaves no process, and the next one starts clean", async () => {
    const script = join(folder, "server.mjs");
    const place = join(folder, "killed");
    const driverFile = fileURLToPath(new URL("./driver.ts", import.meta.url));
    writeFileSync(
      script,
      `import { createLocalDriver } from ${JSON.stringify(driverFile)};
const driver = createLocalDriver({ cacheDirectory: ${JSON.stringify(join(folder, "cache"))}, env: process.env });
const workspace = await driver.open({ project: "killed", directory: ${JSON.stringify(join(place, "files"))}, stateDirectory: ${JSON.stringify(join(place, "state"))} });
await workspace.files.write("a", "kept");
workspace.run("setsid sleep 8642 & sleep 8642", { onOutput() {} });
const end = performance.now() + 20000;
while (performance.now() < end) {
  const { output } = await workspace.run("pgrep -c sleep");
  if (Number(output) >= 2) { process.stdout.write("ready\\n"); break; }
}
`,
    );
    const child = spawn(process.execPath, ["--conditions=treadle-source", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const running = () =>
      readdirSync("/proc").filter((pid) => {
        try {
          return (
            /^\d+$/.test(pid) &&
            readFileSync(`/proc/${pid}/cmdline`, "latin1") === "sleep\u00008642\u0000"
          );
        } catch {
          return false;
        }
      });
    expect(running().length).toBeGreaterThanOrEqual(2);
    child.kill("SIGKILL");
    await eventually(() => running().length === 0);
    const again = await driver.open({
      project: "killed",
      directory: join(place, "files"),
      stateDirectory: join(place, "state"),
    });
    expect(Buffer.from((await again.files.read(toProjectPath("a"))).bytes).toString()).toBe("kept");
    await again.stop();
  });

  it("a stop leaves no mount, process or socket", async () => {
    const before = readdirSync(tmpdir()).filter((name) =>
      name.startsWith(`treadle-${process.pid}-`),
    );
    const groupsBefore = new Map(
      controlGroupFolders()
        .filter((path) => existsSync(path))
        .map((path) => [
          path,
          readdirSync(path).filter((name) => name.startsWith(`sandbox-${process.pid}-`)),
        ]),
    );
    const own = await driver.open({
      project: "left",
      directory: join(folder, "left"),
      stateDirectory: join(folder, "left-state"),
    });
    await own.run("(setsid sleep 8643 &) ; true");
    await own.stop();
    for (const groups of controlGroupFolders().filter((path) => existsSync(path)))
      expect(
        readdirSync(groups).filter((name) => name.startsWith(`sandbox-${process.pid}-`)),
      ).toEqual(groupsBefore.get(groups) ?? []);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain("left");
    expect(
      readdirSync(tmpdir()).filter((name) => name.startsWith(`treadle-${process.pid}-`)),
    ).toEqual(before);
    await eventually(() =>
      readdirSync("/proc").every((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "latin1") !== "sleep\u00008643\u0000";
        } catch {
          return true;
        }
      }),
    );
  });
});
