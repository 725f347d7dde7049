/**
 * Network access of programs inside, for any driver: refusals, their reports, and what works once
 * it is allowed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Workspace, WorkspaceDriver, WorkspaceNotice } from "../types.ts";
import { CERTIFICATE, KEY } from "../../../egress/src/certificate.test-support.ts";
import { startLoginProxy, startOrigin } from "../../../egress/src/egress.test-support.ts";
import type { ResolveHost } from "@treadle/egress";

const LOGIN = "the-user:the-proxy-password";
const TOKEN = "npm_the_registry_token";
const SCOPED = "npm_the_scope_token";

const NO_SECRETS = { secrets: [] };

const CLIENTS: [string, string][] = [
  ["curl", "curl -sS -m 10 http://HOST/x; curl -sS -m 10 https://HOST/x"],
  [
    "node's fetch",
    `node -e 'fetch("http://HOST/x").then(r=>r.text()).then(console.log,e=>console.log(e.cause?.message??e.message))'`,
  ],
  [
    "node's http",
    `node -e 'require("http").get("http://HOST/x",r=>{r.setEncoding("utf8").on("data",d=>console.log(d))}).on("error",e=>console.log(e.message))'`,
  ],
  [
    // Uses an agent of its own, as the libraries of Stripe and Amazon do.
    "a program that knows no proxy",
    `node -e 'const h=require("http");h.get("http://HOST/x",{agent:new h.Agent()},r=>{r.setEncoding("utf8").on("data",d=>console.log(d))}).on("error",e=>console.log(e.message))'`,
  ],
  ["git", "git ls-remote https://HOST/x.git"],
];

export function describeWaysOut(
  createDriver: (options: {
    cacheDirectory: string;
    env: Record<string, string | undefined>;
    resolve: ResolveHost;
  }) => WorkspaceDriver,
): void {
  let folder: string;
  let origin: Awaited<ReturnType<typeof startOrigin>>;
  let secure: Awaited<ReturnType<typeof startOrigin>>;
  /** Port of the server that the proxy connects to. */
  let target: number;
  let upstream: Awaited<ReturnType<typeof startLoginProxy>>;
  let driver: WorkspaceDriver;
  let workspace: Workspace;
  const notices: WorkspaceNotice[] = [];

  const out = async (command: string) => (await workspace.run(command, { quietMs: 20_000 })).output;

  /** Simulates a machine that reaches all outside hosts through a proxy with authentication. */
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "treadle-egress-"));
    chmodSync(folder, 0o755);
    origin = await startOrigin();
    secure = await startOrigin({ key: KEY, cert: CERTIFICATE });
    target = origin.port;
    upstream = await startLoginProxy(LOGIN, () => target);
    const home = join(folder, "home");
    mkdirSync(home);
    writeFileSync(
      join(home, ".npmrc"),
      [
        "registry=http://npm.corp.example/npm/",
        `//npm.corp.example/npm/:_authToken=${TOKEN}`,
        "@corp:registry=http://scope.corp.example/api/",
        `//scope.corp.example/api/:_authToken=${SCOPED}`,
        `proxy=http://${LOGIN}@127.0.0.1:${upstream.port}`,
      ].join("\n"),
    );
    driver = createDriver({
      cacheDirectory: join(folder, "cache"),
      env: { PATH: process.env.PATH, HOME: home },
      resolve: async () => [],
    });
    workspace = await driver.open({
      project: `egress-${process.pid}`,
      directory: join(folder, "files"),
      stateDirectory: join(folder, "state"),
    });
    workspace.listen((notice) => notices.push(notice));
  }, 60_000);

  afterAll(async () => {
    await driver.close();
    origin.close();
    secure.close();
    upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("a host that is not on the project's list", () => {
    it.each(CLIENTS)(
      "is refused at once for %s, and the command's output and result say so",
      async (name, command) => {
        const host = `${name.replace(/\W/g, "-")}.example.com`;
        const exit = await workspace.run(command.replaceAll("HOST", host));
        expect(exit.output).toContain(`egress refused: host ${host} is not among the hosts`);
        expect(exit.refused).toEqual([host]);
        expect(notices).toContainEqual({ type: "egress-refused", host, reason: "not-allowed" });
        expect(origin.asked.filter(({ headers }) => headers.host === host)).toEqual([]);
      },
    );

    it("reports a command's own refusals only", async () => {
      const [own, other] = await Promise.all([
        workspace.run("curl -sS -m 10 https://mine.example.com/; sleep 0.3"),
        workspace.run("curl -sS -m 10 https://other.example.com/; sleep 0.3"),
      ]);
      expect([own.refused, other.refused]).toEqual([["mine.example.com"], ["other.example.com"]]);
    });

    it("is reported in a terminal as well", async () => {
      const terminal = await workspace.terminal({ columns: 120, rows: 20 });
      const seen = new Promise<void>((resolve) => {
        let all = "";
        terminal.onData((data) => {
          all += data;
          if (all.includes("egress refused: host typed.example.com")) resolve();
        });
      });
      terminal.write("curl -s https://typed.example.com/\r");
      await seen;
      terminal.kill();
    });
  });

  describe("a host that is added while commands run", () => {
    it.each(CLIENTS.slice(0, 4))(
      "is reachable by %s without a restart, through this machine's proxy and its login",
      async (name, command) => {
        const host = `${name.replace(/\W/g, "-")}.allowed.example.com`;
        const plain = command.split(";")[0]!.startsWith("curl") ? command.split(";")[0]! : command;
        workspace.configure({ hosts: ["*.allowed.example.com"], ...NO_SECRETS });
        const exit = await workspace.run(plain.replaceAll("HOST", host));
        expect(exit.output).toContain("origin /x");
        expect(exit.refused).toBe(undefined);
        workspace.configure({ hosts: [], ...NO_SECRETS });
        expect((await workspace.run(plain.replaceAll("HOST", host))).refused).toEqual([host]);
      },
    );

    it.each([
      ["curl", "curl -sS -k -m 10 https://HOST/x"],
      [
        "node's fetch",
        `NODE_NO_WARNINGS=1 NODE_TLS_REJECT_UNAUTHORIZED=0 node -e 'fetch("https://HOST/x").then(r=>r.text()).then(console.log,e=>console.log(e.cause))'`,
      ],
      [
        "a program that knows no proxy",
        `node -e 'const s=require("tls").connect({host:"HOST",port:443,servername:"HOST",rejectUnauthorized:false},()=>s.write("GET /x HTTP/1.1\\r\\nHost: HOST\\r\\nConnection: close\\r\\n\\r\\n"));s.on("data",d=>console.log(String(d)))'`,
      ],
      ["git", "GIT_SSL_NO_VERIFY=1 git ls-remote https://HOST/x.git; true"],
    ])("%s uses TLS end to end", async (name, command) => {
      const host = `${name.replace(/\W/g, "-")}.secure.example.com`;
      workspace.configure({ hosts: [host], ...NO_SECRETS });
      target = secure.port;
      try {
        const { output } = await workspace.run(command.replaceAll("HOST", host));
        if (name !== "git") expect(output).toContain("origin /x");
        expect(secure.asked.find(({ headers }) => headers.host === host)?.url).toBe(
          name === "git" ? "/x.git/info/refs?service=git-upload-pack" : "/x",
        );
      } finally {
        target = origin.port;
      }
    });

    it("includes a secret's host as long as the secret exists", async () => {
      const secret = { name: "KEY", value: "sk-1234567", host: "api.secret.example.com" };
      workspace.configure({ hosts: [], secrets: [secret] });
      expect(await out("curl -sS http://api.secret.example.com/y")).toContain("origin /y");
      workspace.configure({ hosts: [], secrets: [] });
      expect(await out("curl -sS http://api.secret.example.com/y")).toContain("egress refused");
    });
  });

  describe("a command that turns out to be the server", () => {
    it("is restarted with the secrets that commands do not get", async () => {
      workspace.configure({
        hosts: [],
        secrets: [{ name: "APP_KEY", value: "sk-adopted-1", host: "a.com" }],
      });
      const exit = await workspace.run(
        `node -e 'require("http").createServer((q,s)=>s.end(String(process.env.APP_KEY))).listen(4501)'`,
        { adopt: true },
      );
      expect(exit.kind).toBe("adopted");
      const stream = await workspace.connect(4501);
      stream.end("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      let answer = "";
      for await (const piece of stream) answer += String(piece);
      expect(answer).toContain("sk-adopted-1");
      await workspace.stopServer();
      workspace.configure({ hosts: [], secrets: [] });
    });
  });

  describe("a private registry, one of a scope, and a proxy with authentication", () => {
    it("are reachable by npm, each with its login added outside", async () => {
      origin.asked.length = 0;
      await out("npm view left-pad; npm view @corp/tool; true");
      const login = (path: string) =>
        origin.asked.find(({ url }) => url.startsWith(path))?.headers.authorization;
      expect(login("/npm/left-pad")).toBe(`Bearer ${TOKEN}`);
      expect(login("/api/@corp")).toBe(`Bearer ${SCOPED}`);
      expect(upstream.refused).toBe(0);
    });

    it("are set for what npm starts, though npm starts without them", async () => {
      const shown = "node -p '[process.env.NODE_USE_ENV_PROXY,process.env.HTTP_PROXY].join()'";
      expect(await out(`npm exec -c "${shown}"`)).toContain("1,http://127.0.0.1:4874");
    });

    it("A33 none of their logins can be read inside", async () => {
      const all = await out(
        [
          "env",
          "cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'",
          "cat ~/.npmrc .npmrc /etc/npmrc /usr/etc/npmrc /run/treadle/npm/npmrc 2>/dev/null",
          "npm config ls -l 2>/dev/null",
          "git config --list --show-origin 2>/dev/null",
          "grep -rIs -e password -e npm_the /home /run /tmp /etc 2>/dev/null | head -c 20000",
          "curl -sv http://127.0.0.1:4874/ 2>&1; curl -sv http://npm.corp.example/npm/left-pad 2>&1",
        ].join("; "),
      );
      expect(all).toContain("127.0.0.1:4873/npm/");
      for (const secret of [TOKEN, SCOPED, "the-proxy-password", "the-user"]) {
        expect(all).not.toContain(secret);
        expect(all).not.toContain(Buffer.from(secret).toString("base64").slice(0, 12));
      }
      expect(all).not.toContain(String(upstream.port));
    });
  });
}
