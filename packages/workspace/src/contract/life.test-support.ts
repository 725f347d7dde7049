import { toProjectPath } from "@treadle/protocol/project-path";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { SERVER, codeOf, eventually, runsOnThisMachine } from "./helpers.test-support.ts";

export function describeLife(contract: Contract): void {
  const { openNew, text, apart } = contract;
  describe.concurrent("lifecycle", () => {
    apart(
      "W95",
      "after stop everything is refused with `stopped`, and stopping again does nothing",
      async () => {
        const own = await openNew();
        await own.files.write(toProjectPath("a"), "x");
        await own.stop();
        await own.stop();
        const attempts = [
          own.files.read(toProjectPath("a")),
          own.files.write(toProjectPath("a"), "y"),
          own.files.list(),
          own.run("true"),
          own.prove("true"),
          own.start("true"),
          own.terminal({ columns: 80, rows: 24 }),
          own.connect(80),
          own.revision(),
          own.checkpoint("x"),
          own.checkpoints(),
          own.restore("x"),
          own.diff("x"),
          own.stopServer(),
        ];
        expect(new Set(await Promise.all(attempts.map(codeOf)))).toEqual(new Set(["stopped"]));
      },
    );

    apart("W96", "files and checkpoints are there when the project is opened again", async () => {
      const name = `again-${process.pid}`;
      const options = {
        project: name,
        directory: join(contract.folder, name, "files"),
        stateDirectory: join(contract.folder, name, "state"),
      };
      const first = await contract.driver.open(options);
      await first.files.write(toProjectPath("a"), "kept");
      const checkpoint = await first.checkpoint("one");
      await first.stop();
      const second = await contract.driver.open(options);
      expect(await second.revision()).toBe(checkpoint.revision);
      expect(await second.checkpoints()).toEqual([checkpoint]);
      await second.files.write(toProjectPath("a"), "else");
      await second.restore(checkpoint.checkpoint);
      expect(await text("a", second)).toBe("kept");
      await second.stop();
      expect(readFileSync(join(contract.folder, name, "files", "a"), "utf8")).toBe("kept");
    });

    apart("W97", "stop ends every process of servers, commands and terminals", async () => {
      // A unique number, so that another run of this test is not mistaken for it.
      const seconds = 1_000_000 + process.pid;
      const own = await openNew();
      await own.start(SERVER(4120));
      // It may be refused before its end is awaited.
      const running = own.run(`echo there; sleep ${seconds}; true`).catch(() => ({ kind: "gone" }));
      await own.terminal({ columns: 80, rows: 24 });
      await own.stop();
      expect((await running).kind).not.toBe("adopted");
      await eventually(() => !runsOnThisMachine(`sleep\0${seconds}\0`));
    });

    apart(
      "W98",
      "reports the sandbox's unexpected end, and the next call opens a new one",
      async () => {
        const own = await openNew();
        await own.files.write(toProjectPath("a"), "kept");
        const lost: string[] = [];
        own.listen((notice) => {
          if (notice.type === "lost") lost.push(notice.reason);
        });
        await own.run("kill -9 $PPID; sleep 5").catch(() => undefined);
        await eventually(() => lost.length > 0);
        expect(await text("a", own)).toBe("kept");
        await own.stop();
      },
    );

    apart(
      "W145",
      "after endProcesses nothing can write or be started, but files can be read (A24)",
      async () => {
        const own = await openNew();
        // Without its parent and its environment, so that nothing reveals who started it.
        const loop = "while :; do echo x >> a.txt; done";
        await own.run(`env -i setsid sh -c '${loop}' > /dev/null 2>&1 &`);
        await own.start(SERVER(4121));
        const begun = Promise.withResolvers<unknown>();
        const running = own.run("echo begun; sleep 60", { onOutput: begun.resolve });
        await begun.promise;
        await eventually(async () =>
          (await own.files.list()).files.some((f) => f.path === "a.txt"),
        );
        expect(await own.endProcesses()).toBe(true);
        const size = (await own.files.read(toProjectPath("a.txt"))).bytes.byteLength;
        await running;
        const started = [own.run("true"), own.start("true"), own.pipe("cat")];
        expect(await Promise.all(started.map(codeOf))).toEqual(["stopped", "stopped", "stopped"]);
        expect((await own.files.read(toProjectPath("a.txt"))).bytes.byteLength).toBe(size);
        await own.stop();
      },
    );
  });
}
