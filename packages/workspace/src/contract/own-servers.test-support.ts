import { toProjectPath } from "@treadle/protocol/project-path";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Workspace } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { SERVER, codeOf, eventually, get } from "./helpers.test-support.ts";

/**
 * Servers in separate workspaces. The rules run concurrently: each uses its own ports, as the
 * driver may have one network for all of them.
 */
export function describeOwnServers(contract: Contract): void {
  const { openNew, exited, apart } = contract;

  async function openWith(files: Record<string, string>): Promise<Workspace> {
    const own = await openNew();
    for (const [name, text] of Object.entries(files))
      await own.files.write(toProjectPath(name), text);
    return own;
  }

  describe.concurrent("servers", () => {
    apart(
      "W158",
      "F17 waits for a slow server with an open port, and names the port in its status",
      async () => {
        const slow = (ms: number) =>
          `node -e 'require("http").createServer((_, response) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms}); response.end("late"); }).listen(4101)'`;
        const own = await openNew();
        const early = await own.start(slow(60_000), { timeoutMs: 4_000 });
        expect(early).toMatchObject({ state: "starting", ports: [4101] });
        expect(await own.start(slow(2_000))).toMatchObject({
          state: "up",
          ports: [4101],
        });
        await own.stopServer();
        const adopted = await own.run(slow(2_000), { adopt: true });
        expect(adopted.kind).toBe("adopted");
        await own.stop();
      },
    );

    apart(
      "W54",
      "F15 restarts a server that crashes after it was up, at most 3 times",
      async () => {
        const own = await openNew();
        const states: string[] = [];
        own.listen((notice) => {
          if (notice.type === "server")
            states.push(`${notice.server.state} ${notice.server.restarts}`);
        });
        const crashing = `node -e 'require("http").createServer((q,s)=>s.end("x",()=>q.url==="/end"&&process.exit(4))).listen(4110)'`;
        await own.start(crashing);
        // It exits only on request, once it is known to be up: how quickly that is noticed depends
        // on the machine.
        for (let restarts = 0; restarts <= 3; restarts++) {
          await eventually(() => own.server?.state === "up" && own.server.restarts === restarts);
          await get(own, 4110, "/end");
        }
        await eventually(() => states.filter((state) => state === "crashed 3").length === 1);
        expect(own.server).toMatchObject({ state: "crashed", exitCode: 4, restarts: 3 });
        await own.stop();
      },
    );

    apart("W187", "has the environment it was started with, also after a restart", async () => {
      const own = await openNew();
      const ends = `node -e 'require("http").createServer((q,s)=>s.end(process.env.NODE_ENV,()=>q.url==="/end"&&process.exit(4))).listen(4112)'`;
      await own.start(ends, { env: { NODE_ENV: "production" } });
      expect(await get(own, 4112, "/end")).toContain("production");
      await eventually(() => own.server?.state === "up" && own.server.restarts === 1);
      expect(await get(own, 4112)).toContain("production");
      await own.start(ends);
      expect(await get(own, 4112)).toContain("\r\n\r\n");
      expect(await get(own, 4112)).not.toContain("production");
      await own.stop();
    });

    describe("a server that may accept connections itself", () => {
      const start = (own: Workspace, code: string) =>
        own.start(`node -e '${code}'`, { takesDials: true });
      const TOLD = `const {socket}=q;s.end([socket._handle.constructor.name,socket.remoteAddress,socket.localPort,socket.address().port].join(" "))`;

      apart(
        "W188",
        "receives requests directly, with the same properties as connections to its port",
        async () => {
          const own = await openNew();
          await start(own, `require("http").createServer((q,s)=>{${TOLD}}).listen(4113)`);
          expect(await get(own, 4113)).toContain("Pipe ::ffff:127.0.0.1 4113 4113");
          // Its port is open as well, for other programs inside.
          const beside = await own.run("curl -s http://127.0.0.1:4113/");
          expect(beside.output).toBe("TCP ::ffff:127.0.0.1 4113 4113");
          await own.stopServer();
          expect(await codeOf(own.connect(4113))).toBe("port");
          await own.stop();
        },
      );

      apart("W189", "receives requests through its port if it is in any way unusual", async () => {
        const own = await openNew();
        const answer = '"HTTP/1.1 200 OK\\r\\ncontent-length: 4\\r\\n\\r\\nbare"';
        for (const [port, code, text] of [
          [
            4114,
            `const one=require("http").createServer((q,s)=>{${TOLD}});one.maxConnections=9;one.listen(4114)`,
            "TCP",
          ],
          [4115, `require("http").createServer((q,s)=>{${TOLD}}).listen(4115,"::1")`, "TCP"],
          [
            4116,
            `require("net").createServer(s=>s.once("data",()=>s.end(${answer}))).listen(4116)`,
            "bare",
          ],
        ] as const) {
          const state = await start(own, code);
          expect(state).toMatchObject({ state: "up", ports: [port] });
          expect(await get(own, port)).toContain(text);
        }
        await own.stop();
      });

      apart("W190", "is waited for while it is busy, and answers each request once", async () => {
        const own = await openNew();
        await start(
          own,
          `let n=0;require("http").createServer((q,s)=>{if(q.url==="/busy")for(const until=Date.now()+1500;Date.now()<until;);s.end("answer "+ ++n)}).listen(4117)`,
        );
        const before = Number(/answer (\d+)/.exec(await get(own, 4117))![1]);
        const busy = get(own, 4117, "/busy");
        const responses = await Promise.all([busy, get(own, 4117), get(own, 4117)]);
        expect(
          responses.map((text) => Number(/answer (\d+)/.exec(text)![1]) - before).toSorted(),
        ).toEqual([1, 2, 3]);
        await own.stop();
      });

      apart("W191", "may switch to a socket, and may be a cluster of several", async () => {
        const own = await openNew();
        await start(
          own,
          `require("http").createServer((q,s)=>s.end("web")).on("upgrade",(q,s)=>{s.write("HTTP/1.1 101 X\\r\\nupgrade: own\\r\\nconnection: upgrade\\r\\n\\r\\n");s.pipe(s)}).listen(4118)`,
        );
        const socket = await own.connect(4118);
        socket.write("GET / HTTP/1.1\r\nhost: x\r\nupgrade: own\r\nconnection: upgrade\r\n\r\n");
        let text = "";
        socket.on("data", (piece) => {
          if (text === "") socket.write("there and back");
          text += String(piece);
        });
        await eventually(() => text.endsWith("there and back"));
        socket.destroy();
        const script = toProjectPath("cluster.cjs");
        await own.files.write(
          script,
          `const c=require("cluster");if(c.isPrimary){c.fork();c.fork()}else require("http").createServer((q,s)=>s.end("by "+process.pid)).listen(4119)`,
        );
        await own.start("node cluster.cjs", { takesDials: true });
        const by = new Set<string>();
        await eventually(async () => by.add((await get(own, 4119)).split("by ")[1]!).size === 2);
        await own.stop();
      });
    });

    describe("a server whose code is counted", () => {
      const files = {
        "handlers.cjs":
          "exports.used = function used() { return 1; };\nexports.unused = function unused() { return 2; };\n",
        "counted.cjs":
          'const { used } = require("./handlers.cjs");\nrequire("http").createServer((q, s) => s.end(q.url === "/" ? "up" : String(used()))).listen(Number(process.argv[2]));\n',
        "parent.cjs":
          'require("child_process").execFileSync(process.execPath, ["once.cjs"]);\nrequire("child_process").fork("./counted.cjs", ["4122"]);\n',
        "once.cjs": "\nfunction once() { return 3; }\nonce();\n",
      };
      /** Whether each function ran, by its source text. */
      const ranOf = async (workspace: Workspace) => {
        const { isWhole, scripts } = (await workspace.ranCode!(["handlers", "once"]))!;
        const functions = scripts
          .filter(({ path }) => /^(?:handlers|once)/.test(path))
          .flatMap(({ text, places }) =>
            places.flatMap((start, at) => {
              const name = /^(?:exports\.\w+ = )?function (\w+)/.exec(text.slice(start))?.[1];
              return at % 3 === 0 && start > 0 && name ? [[name, places[at + 2] === 1]] : [];
            }),
          );
        return { isWhole, functions: Object.fromEntries(functions) as Record<string, boolean> };
      };

      apart(
        "W196",
        "reports what ran in each of its processes, including those that have exited",
        async () => {
          const own = await openWith(files);
          await own.start("node parent.cjs", { countsCode: true });
          expect(await ranOf(own)).toEqual({
            isWhole: true,
            functions: { used: false, unused: false, once: true },
          });
          await get(own, 4122, "/used");
          expect(await ranOf(own)).toMatchObject({ isWhole: true, functions: { used: true } });
          await own.stop();
        },
      );

      apart(
        "W197",
        "reports incomplete counts if one of its processes does not count",
        async () => {
          const own = await openWith(files);
          await own.start("NODE_OPTIONS= node counted.cjs 4123", { countsCode: true });
          expect(await ranOf(own)).toEqual({ isWhole: false, functions: {} });
          await own.start("node counted.cjs 4123 & sleep 1; kill -9 $!; node counted.cjs 4123", {
            countsCode: true,
          });
          await eventually(async () => !(await ranOf(own)).isWhole);
          await own.stop();
        },
      );
    });

    apart(
      "W198",
      "reports parts that exited while others run, with their output, until they are restarted",
      async () => {
        const files = {
          "api/api.cjs": `require("net").connect(4999, "127.0.0.1");`,
          "parts.cjs": `
            const { spawn } = require("child_process");
            spawn("node", ["api.cjs"], { cwd: "api", stdio: "inherit" });
            spawn("sh", ["-c", "exit 3"]);
            spawn("sleep", ["60"]).kill();
            require("http").createServer((question, answer) => answer.end("page")).listen(4130);`,
        };
        const own = await openWith(files);
        await own.start("node parts.cjs");
        await eventually(async () => (await own.endedParts?.())?.length === 2);
        const parts = (await own.endedParts!()).toSorted((a, b) => a.name.length - b.name.length);
        expect(parts).toEqual([
          { name: "exit 3", code: 3, text: "" },
          { name: "api/api.cjs", code: 1, text: expect.stringContaining("ECONNREFUSED") },
        ]);

        await own.files.write(
          toProjectPath("api/api.cjs"),
          "console.error('tired'); process.exit(7);",
        );
        await own.start("while true; do node api/api.cjs; sleep 0.3; done & node parts.cjs");
        await eventually(async () =>
          (await own.endedParts!()).some(({ code, text }) => code === 7 && text === "tired"),
        );
        await own.files.write(toProjectPath("api/api.cjs"), "setInterval(() => {}, 1_000);");
        await own.start("node parts.cjs");
        await eventually(async () => (await own.endedParts!()).length === 1);
        await own.stopServer();
        expect(await own.endedParts!()).toEqual([]);
        await own.stop();
      },
    );

    apart(
      "W186",
      "a watcher that misses a change soon after another is notified again",
      async () => {
        const own = await openNew();
        const page = toProjectPath("page.txt");
        await own.files.write(page, "before");
        // Simulates chokidar, which ignores a file for 50 ms after a change.
        await own.files.write(
          toProjectPath("watch.js"),
          `const fs = require("fs");
let [text, deaf] = [fs.readFileSync("page.txt"), false];
fs.watch(".", (_, name) => {
  if (name !== "page.txt" || deaf) return;
  deaf = true;
  setTimeout(() => (deaf = false), 50);
  text = fs.readFileSync("page.txt");
});
require("http").createServer((_, answer) => answer.end(text)).listen(4109);`,
        );
        await own.start("node watch.js");
        const shows = (text: string) => async () => (await get(own, 4109)).endsWith(text);
        for (const last of ["a", "b", "c"]) {
          await own.files.write(page, `first ${last}`);
          await eventually(shows(`first ${last}`));
          await own.files.write(page, `then ${last}`);
          await eventually(shows(`then ${last}`));
        }
        await own.stop();
      },
    );

    apart(
      "W161",
      "reports whether files that a server reads at its start are unchanged",
      async () => {
        const own = await openNew();
        await own.files.write(toProjectPath("vite.config.js"), "export default {}");
        await own.files.write(toProjectPath("page.js"), "one");
        await own.start(SERVER(4105));
        expect(await own.isServerSetUp()).toBe(true);
        await own.files.write(toProjectPath("page.js"), "two");
        expect(await own.isServerSetUp()).toBe(true);
        await own.files.write(toProjectPath("vite.config.js"), "export default { base: '/app/' }");
        expect(await own.isServerSetUp()).toBe(false);
        await own.start(SERVER(4105));
        expect(await own.isServerSetUp()).toBe(true);
        await own.stop();
      },
    );

    apart(
      "W63",
      "F16 a server whose port is taken moves to the next one, and is found there",
      async () => {
        const own = await openNew();
        // Takes the first free port from 4170 on, as dev servers do.
        const server = `node -e 'const h=require("http");const t=p=>h.createServer((q,s)=>s.end("on "+p)).once("error",()=>t(p+1)).listen(p,"127.0.0.1");t(4170)'`;
        const other = await own.terminal({ columns: 80, rows: 24 });
        other.write(`${SERVER(4170, "somebody else")}\r`);
        await eventually(async () => get(own, 4170).catch(() => undefined));
        expect(await own.start(server)).toMatchObject({ state: "up", ports: [4171] });
        expect(await get(own, 4171)).toContain("on 4171");
        other.kill();
        await eventually(async () => (await codeOf(own.connect(4170))) === "port");
        expect(await own.start(server)).toMatchObject({ state: "up", ports: [4170] });
        expect(await get(own, 4170)).toContain("on 4170");
        await own.stop();
      },
    );

    apart(
      "W64",
      "F16 a server that insists on a taken port has crashed, and says why",
      async () => {
        const own = await openNew();
        const other = await own.terminal({ columns: 80, rows: 24 });
        other.write(`${SERVER(4172, "somebody else")}\r`);
        await eventually(async () => get(own, 4172).catch(() => undefined));
        const state = await own.start(SERVER(4172));
        expect(state.state).toBe("crashed");
        expect(state.tail).toContain("EADDRINUSE");
        expect(await get(own, 4172)).toContain("somebody else");
        await own.stop();
      },
    );

    apart(
      "W61",
      "takes over a server that was started in advance, which is invisible until then",
      async () => {
        const own = await openNew();
        // Each of its processes responds with a different number.
        const command = `node -e 'const n=String(process.pid);require("http").createServer((q,s)=>{s.sendDate=false;s.end(n)}).listen(4161,"127.0.0.1")'`;
        await own.files.write(toProjectPath("package.json"), "{}");
        const seen: string[] = [];
        own.listen((notice) => void (notice.type === "server" && seen.push(notice.server.state)));
        own.warm(command);
        const first = await eventually(async () => get(own, 4161).catch(() => undefined));
        expect(seen).toEqual([]);
        expect(own.server).toBeUndefined();
        expect(await own.start(command)).toMatchObject({ state: "up", ports: [4161] });
        expect(await get(own, 4161)).toBe(first);
        expect(seen).toEqual(["starting", "up"]);
        await own.stop();
      },
    );

    apart(
      "W62",
      "restarts a warm server for changed files, and ends it for another command",
      async () => {
        const own = await openNew();
        const command = `node -e 'const n=String(process.pid);require("http").createServer((q,s)=>{s.sendDate=false;s.end(n)}).listen(4162,"127.0.0.1")'`;
        await own.files.write(toProjectPath("package.json"), "{}");
        own.warm(command);
        const first = await eventually(async () => get(own, 4162).catch(() => undefined));
        await own.files.write(toProjectPath("package.json"), '{"name":"another"}');
        expect(await own.start(command)).toMatchObject({ state: "up" });
        expect(await get(own, 4162)).not.toBe(first);
        await own.stopServer();
        own.warm(command);
        await eventually(async () => get(own, 4162).catch(() => undefined));
        await own.start(SERVER(4163));
        expect(await codeOf(own.connect(4162))).toBe("port");
        await own.stop();
      },
    );

    apart("W60", "secrets reach the server process and no other", async () => {
      const name = `secret-${process.pid}`;
      let printed = "";
      const own = await contract.driver.open({
        project: name,
        directory: join(contract.folder, name, "files"),
        stateDirectory: join(contract.folder, name, "state"),
        settings: { hosts: [], secrets: [{ name: "APP_KEY", value: "k-12345", host: "a.com" }] },
      });
      await own.start(
        `node -e 'require("http").createServer((q,s)=>s.end(process.env.APP_KEY+" "+process.env.APP_KEY_HOST)).listen(4107)'`,
      );
      expect(await get(own, 4107)).toContain("k-12345 a.com");
      expect(exited(await own.run("echo [$APP_KEY]")).output).toBe("[]\n");
      // Programs with the same uid can read the server's environment; only the secret's name is
      // printed.
      expect(
        exited(await own.run("cat /proc/*/environ | tr '\\0' '\\n' | grep APP_KEY=")).output,
      ).toContain("APP_KEY=[secret APP_KEY]\n");
      own.configure({
        hosts: [],
        secrets: [{ name: "APP_KEY", value: "another", host: "a.com" }],
      });
      await own.start(
        `node -e 'console.log("key", process.env.APP_KEY);require("http").createServer((q,s)=>s.end(process.env.APP_KEY)).listen(4107)'`,
        { onOutput: (text) => (printed += text) },
      );
      expect(await get(own, 4107)).toContain("another");
      expect(printed).toContain("key [secret APP_KEY]");
      await own.stop();
    });
  });
}
