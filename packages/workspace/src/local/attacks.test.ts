/** What hostile code inside tries, where more than one command and its output is needed; the rest is in ../attacks. */
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
import { ensureGuest } from "./built-guest.test-support.ts";
import { CONTROL_GROUP_FOLDERS } from "./control-groups.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

let folder: string;
let driver: WorkspaceDriver;
let workspace: Workspace;
const notices: WorkspaceNotice[] = [];

const out = async (command: string, options = {}) => {
  const exit = await workspace.run(command, { quietMs: 20_000, ...options });
  return exit.output;
};

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

describe("what can be read", () => {
  it("no file of the host but /usr and a few of /etc is there", async () => {
    const seen = await out("ls -A / /etc /home /run /tmp 2>&1");
    for (const name of ["root", "work", "var", "srv", "shadow", "sudoers", "boot", "sys"])
      expect(seen.split(/\s+/)).not.toContain(name);
    expect(await out("cat /etc/shadow /root/.npmrc 2>&1; ls /proc/1/root/root 2>&1")).not.toMatch(
      /root:\$|registry/,
    );
  });
});

describe("what can be written", () => {
  it("A34 a postinstall script touches only the sandbox", async () => {
    await workspace.files.write(
      "evil/package.json",
      JSON.stringify({
        name: "evil",
        version: "1.0.0",
        scripts: {
          postinstall: "echo pwned > /tmp/treadle-evil-host; echo pwned > ../escaped; id > ran.txt",
        },
      }),
    );
    await out("cd evil && npm install --foreground-scripts");
    expect(existsSync("/tmp/treadle-evil-host")).toBe(false);
    expect(readFileSync(join(folder, "files/evil/ran.txt"), "utf8")).toContain("uid=1000");
    expect(readFileSync(join(folder, "files/escaped"), "utf8")).toBe("pwned\n");
  });
});

describe("where it can connect to", () => {
  it("A16 a preview reaches neither way out of its sandbox", async () => {
    for (const port of [4873, 4874])
      await expect(workspace.connect(port)).rejects.toMatchObject({ code: "port" });
  });
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

  it("adds the login to what is below the registry's path, and nothing of it is readable inside", async () => {
    expect(await fetchInside(`${PATH}react`)).toContain("asked");
    expect(asked.at(-1)).toMatchObject({ url: `${PATH}react`, login: "Bearer npm_the_login" });
    const all = (
      await own.run(
        "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; cat ~/.npmrc .npmrc 2>/dev/null; npm config ls -l 2>/dev/null",
      )
    ).output;
    expect(all).not.toContain("npm_the_login");
  });

  it("tells nothing about the account, and takes the login to no other place of that host", async () => {
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

  it("publishes nothing", async () => {
    const before = asked.length;
    for (const method of ["PUT", "POST", "DELETE", "PATCH"])
      expect(await fetchInside(`${PATH}react`, `-X ${method} -d '{}'`)).toContain("nothing else");
    expect(asked.length).toBe(before);
  });

  it("a request that makes no sense does not end the server", async () => {
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

describe("what can be exhausted", () => {
  it("A37 a fork bomb meets a limit, and the server goes on answering", async () => {
    const bomb = workspace.run("bomb() { bomb | bomb & }; bomb; sleep 30", { timeoutMs: 1_500 });
    const started = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    expect(performance.now() - started).toBeLessThan(1_000);
    await bomb.catch(() => undefined);
    await eventually(
      async () => (await workspace.run("echo well").catch(() => undefined))?.output === "well\n",
    );
  });

  it("A37 a memory hog is ended, alone", async () => {
    const exit = await workspace.run(
      `node --max-old-space-size=100000 -e 'const all=[];for(;;)all.push(Buffer.alloc(1<<26,1))'`,
      { timeoutMs: 25_000 },
    );
    expect(exit.kind === "exited" && exit.code !== 0).toBe(true);
    expect((await workspace.run("echo well")).output).toBe("well\n");
  });

  it("A37 temporary folders are bounded", async () => {
    expect(
      await out("dd if=/dev/zero of=/tmp/fill bs=1M count=400 2>&1; rm -f /tmp/fill"),
    ).toContain("No space left");
    expect(
      await out("dd if=/dev/zero of=/home/user/fill bs=1M count=400 2>&1; rm -f /home/user/fill"),
    ).toContain("No space left");
  });

  it("thousands of connections to the host's sockets are not all taken", async () => {
    const answer = await out(
      `node -e 'const n=require("net");let open=0;for(let i=0;i<1500;i++){const s=n.connect("/run/sbx/stream.sock");s.on("connect",()=>open++);s.on("close",()=>open--);s.on("error",()=>{})}setTimeout(()=>{console.log(open);process.exit()},1500)'`,
    );
    expect(Number(answer)).toBeLessThanOrEqual(256);
  });

  it("a guest that generated code ends takes its sandbox with it, and the next call opens another", async () => {
    const lost = () => notices.filter((notice) => notice.type === "lost").length;
    const before = lost();
    // Both have the same user, so nothing in the sandbox can prevent it.
    await workspace.run("kill -9 $(pgrep -f guest.mjs | grep -vx 1)").catch(() => undefined);
    await eventually(() => lost() > before);
    expect((await workspace.run("echo anew")).output).toBe("anew\n");
  });
});

describe("what is left behind", () => {
  it("F8 a server that is killed leaves no process, and the next one starts clean", async () => {
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
    expect(Buffer.from((await again.files.read("a")).bytes).toString()).toBe("kept");
    await again.stop();
  });

  it("stop leaves no mount, no process and no socket of it", async () => {
    const before = readdirSync(tmpdir()).filter((name) =>
      name.startsWith(`treadle-${process.pid}-`),
    );
    const groupsBefore = new Map(
      CONTROL_GROUP_FOLDERS.filter((path) => existsSync(path)).map((path) => [
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
    for (const groups of CONTROL_GROUP_FOLDERS.filter((path) => existsSync(path)))
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
