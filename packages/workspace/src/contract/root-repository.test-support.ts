import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Workspace, WorkspaceNotice } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { eventually, SERVER } from "./helpers.test-support.ts";

const COMMIT =
  "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one; git log --format=%s";

export function describeRootRepository(contract: Contract): void {
  const { exited, openNew, apart, text } = contract;
  describe.concurrent("an empty project's folder", () => {
    apart(
      "W151",
      "contains nothing of Treadle's, and a repository that is made there stays",
      async () => {
        const workspace = await openNew();
        const run = async (command: string) => exited(await workspace.run(command)).output;
        expect(await run("ls -A; ls -A")).toBe("");
        expect(await run(`echo 1 > package.json; git init -q; ${COMMIT}`)).toBe("one\n");
        expect(await run("ls -A; git log --format=%s; git status --short")).toBe(
          ".git\npackage.json\none\n?? package.json\n",
        );
        await workspace.stop();
      },
    );

    apart("W152", "A23 never contains a repository that git on the host obeys", async () => {
      const workspace = await openNew();
      // Created by a running program, and moved when the next one is started.
      const pipe = await workspace.pipe("git init -q; mkdir here; echo made; cat");
      await new Promise<void>((resolve) => pipe.onData(() => resolve()));
      await workspace.run("true");
      await pipe.kill();
      const { output } = await workspace.run("ls -A");
      expect(output).toMatch(/^\.git\nhere\n$/);
      expect(exited(await workspace.run("git status")).code).toBe(0);
      await workspace.stop();
    });

    apart(
      "W162",
      "may be filled and read by the host while the first command is started in it",
      async () => {
        for (const start of [
          async (workspace: Workspace) => {
            const state = await workspace.start(SERVER(3000));
            expect(state).toMatchObject({ state: "up", ports: [3000] });
          },
          async (workspace: Workspace) => {
            const terminal = await workspace.terminal({ columns: 80, rows: 24 });
            terminal.write("git init -q; exit\n");
            await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
          },
        ]) {
          const workspace = await openNew();
          await workspace.files.write(toProjectPath("page.html"), "x");
          const lost: WorkspaceNotice[] = [];
          workspace.listen((notice) => void (notice.type === "lost" && lost.push(notice)));
          const starting = start(workspace);
          const reading = Array.from({ length: 20 }, (_, number) =>
            workspace.files
              .write(toProjectPath(`${number}.txt`), "x")
              .then(() => text(`${number}.txt`, workspace)),
          );
          expect(new Set(await Promise.all(reading))).toEqual(new Set(["x"]));
          await starting;
          expect(lost).toEqual([]);
          expect(exited(await workspace.run("git init -q; git status")).code).toBe(0);
          await workspace.stop();
        }
      },
    );

    apart("W164", "is in a writable folder, as scaffolding tools require", async () => {
      const workspace = await openNew();
      const { output } = exited(await workspace.run("test -w .. && mkdir ../beside && ls -A"));
      expect(output).toBe("");
      await workspace.run("rmdir ../beside");
      await workspace.stop();
    });

    apart("W163", "reports the files that the first command in it created", async () => {
      const workspace = await openNew();
      const changes = new Map<string, "written" | "removed">();
      workspace.listen((notice) => {
        if (notice.type !== "files") return;
        for (const { path, kind } of notice.changes) changes.set(path, kind);
      });
      await workspace.run("mkdir a; echo 1 > a/made; echo 2 > made");
      await eventually(
        () => changes.get("a/made") === "written" && changes.get("made") === "written",
      );
      await workspace.run("rm -r a; echo 3 > later");
      await eventually(
        () => changes.get("a/made") === "removed" && changes.get("later") === "written",
      );
      await workspace.stop();
    });
  });
}
