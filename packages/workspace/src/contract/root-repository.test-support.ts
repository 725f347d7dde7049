import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";

const COMMIT =
  "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one; git log --format=%s";

export function describeRootRepository(contract: Contract): void {
  const { exited, openNew, rule } = contract;
  describe("an empty project's folder", () => {
    rule("W151", "holds nothing of ours, and a repository that is made there stays", async () => {
      const workspace = await openNew();
      const run = async (command: string) => exited(await workspace.run(command)).output;
      expect(await run("ls -A; ls -A")).toBe("");
      expect(await run(`echo 1 > package.json; git init -q; ${COMMIT}`)).toBe("one\n");
      expect(await run("ls -A; git log --format=%s; git status --short")).toBe(
        ".git\npackage.json\none\n?? package.json\n",
      );
      await workspace.stop();
    });

    rule("W152", "A23 is left by nobody with a repository that git on the host obeys", async () => {
      const workspace = await openNew();
      // Made by what goes on, and taken along by the next that is started.
      const pipe = await workspace.pipe("git init -q; mkdir here; echo made; cat");
      await new Promise<void>((resolve) => pipe.onData(() => resolve()));
      await workspace.run("true");
      await pipe.kill();
      const { output } = await workspace.run("ls -A");
      expect(output).toMatch(/^\.git\nhere\n$/);
      expect(exited(await workspace.run("git status")).code).toBe(0);
      await workspace.stop();
    });
  });
}
