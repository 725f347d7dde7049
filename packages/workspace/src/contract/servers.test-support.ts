import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { SERVER, codeOf, eventually, get } from "./helpers.test-support.ts";

export function describeServers(contract: Contract): void {
  const { rule } = contract;
  describe("servers", () => {
    rule(
      "W50",
      "a server is up once it has answered, with its port read from its sockets",
      async () => {
        const state = await contract.shared.start(SERVER(4100));
        expect(state).toMatchObject({ state: "up", ports: [4100], restarts: 0 });
        expect(await get(contract.shared, 4100)).toContain("up");
        expect(contract.shared.server).toEqual(state);
      },
    );

    rule("W51", "starting another one replaces it, on the same port", async () => {
      const state = await contract.shared.start(SERVER(4100, "second"));
      expect(state.state).toBe("up");
      expect(await get(contract.shared, 4100)).toContain("second");
    });

    rule("W52", "stopping it ends it and frees the port", async () => {
      await contract.shared.stopServer();
      expect(contract.shared.server?.state).toBe("stopped");
      expect(await codeOf(contract.shared.connect(4100))).toBe("port");
    });

    rule(
      "W53",
      "F15 a server that exits before it answers has crashed, with code and last lines",
      async () => {
        const state = await contract.shared.start("echo no such config; exit 9");
        expect(state).toMatchObject({ state: "crashed", exitCode: 9 });
        expect(state.tail).toContain("no such config");
      },
    );

    rule("W55", "reaches a server that listens on IPv6 only", async () => {
      const state = await contract.shared.start(
        `node -e 'require("http").createServer((q,s)=>s.end("six")).listen(4101,"::1")'`,
      );
      expect(state.state).toBe("up");
      expect(await get(contract.shared, 4101)).toContain("six");
      await contract.shared.stopServer();
    });

    rule("W56", "adopts a command that keeps running and listens, if requested", async () => {
      const exit = await contract.shared.run(SERVER(4102), { adopt: true });
      expect(exit).toMatchObject({ kind: "adopted", server: { state: "up", ports: [4102] } });
      expect(await get(contract.shared, 4102)).toContain("up");
      await contract.shared.stopServer();
      expect(await codeOf(contract.shared.connect(4102))).toBe("port");
    });

    rule("W57", "puts the port that answers HTTP first if there are several", async () => {
      const both = `node -e 'require("net").createServer(s=>s.end()).listen(4103);require("http").createServer((q,s)=>s.end("web")).listen(4104)'`;
      const state = await contract.shared.start(both);
      expect(state.state).toBe("up");
      await eventually(() => contract.shared.server?.ports.length === 2);
      expect(await get(contract.shared, 4104)).toContain("web");
      await contract.shared.stopServer();
    });

    rule(
      "W159",
      "puts a port of its server first on request, no other one, and reports it",
      async () => {
        const { shared } = contract;
        const two = `node -e 'const h=require("http");for(const p of [4105,4106])h.createServer((q,s)=>s.end("on "+p)).listen(p)'`;
        await shared.start(two);
        const ports = await eventually(
          () => shared.server?.ports.length === 2 && [...shared.server.ports],
        );
        const announced: number[][] = [];
        const close = shared.listen((notice) => {
          if (notice.type === "server") announced.push([...notice.server.ports]);
        });
        shared.showPort(4107);
        expect(shared.server?.ports).toEqual(ports);
        shared.showPort(ports[1]!);
        expect(shared.server).toMatchObject({ state: "up", ports: ports.toReversed() });
        expect(announced).toEqual([ports.toReversed()]);
        close();
        await shared.stopServer();
        shared.showPort(4105);
        expect(shared.server?.ports).toEqual([]);
      },
    );

    rule(
      "W165",
      "a server's input stays open, a command's ends at once: watchers exit with theirs",
      async () => {
        const { shared } = contract;
        const watcher = `process.stdin.on("end",()=>process.exit(0)).resume()`;
        const [manifest, script] = [toProjectPath("package.json"), toProjectPath("watch.js")];
        await shared.files.write(manifest, '{"scripts":{"dev":"node watch.js"}}');
        await shared.files.write(
          script,
          `${watcher};require("http").createServer((q,s)=>s.end("still here")).listen(4108)`,
        );
        for (const command of ["npm run dev", "exec node watch.js"]) {
          await shared.start(command);
          expect(await get(shared, 4108)).toContain("still here");
          await shared.stopServer();
        }
        expect(await shared.run(`node -e '${watcher}'`)).toMatchObject({ kind: "exited", code: 0 });
        for (const path of [manifest, script]) await shared.files.remove(path);
      },
    );

    rule("W160", "a server's output can be read until the next one is started", async () => {
      const { shared } = contract;
      await shared.start(`echo first words; ${SERVER(4105)}`);
      expect(shared.serverLog()).toContain("first words");
      await shared.run("true");
      expect(shared.serverLog()).toContain("first words");
      await shared.start(`echo other words; ${SERVER(4105)}`);
      expect(shared.serverLog()).toContain("other words");
      expect(shared.serverLog()).not.toContain("first words");
      await shared.stopServer();
    });

    rule(
      "W58",
      "A16 refuses a connection to a port that no process of this sandbox listens on",
      async () => {
        for (const port of [22, 80, 1, 65_535])
          expect(await codeOf(contract.shared.connect(port))).toBe("port");
      },
    );

    rule("W59", "a connection carries bytes in both directions unchanged, 8 MB", async () => {
      await contract.shared.start(
        `node -e 'require("net").createServer(s=>s.pipe(s)).listen(4105);require("http").createServer((q,s)=>s.end()).listen(4106)'`,
      );
      const stream = await contract.shared.connect(4105);
      const sent = Buffer.alloc(8 * 1024 * 1024, "0123456789abcdef\r\n");
      stream.end(sent);
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      expect(Buffer.concat(pieces).equals(sent)).toBe(true);
      await contract.shared.stopServer();
    });
  });
}
