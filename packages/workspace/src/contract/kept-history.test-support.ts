import { toProjectPath } from "@treadle/protocol/project-path";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Workspace } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

const DAY = 24 * 60 * 60_000;

export function describeKeptHistory(contract: Contract): void {
  const { openNew, text, apart } = contract;
  const put = (own: Workspace, path: string, content: string) =>
    own.files.write(toProjectPath(path), content);
  /** Saves this many checkpoints, each with a different `a.txt`. */
  async function saveMany(own: Workspace, count: number): Promise<string[]> {
    const names: string[] = [];
    for (let n = 1; n <= count; n++) {
      await put(own, "a.txt", `${n}\n`);
      names.push((await own.checkpoint(`step ${n}`)).checkpoint);
    }
    return names;
  }

  describe.concurrent("storage of checkpoints", () => {
    apart("W180", "sets, changes and removes a checkpoint's name", async () => {
      const own = await openNew();
      const [first] = await saveMany(own, 1);
      expect(await own.nameCheckpoint(first!, "Works")).toMatchObject({ name: "Works" });
      await own.nameCheckpoint(first!, "Works well");
      expect(await own.checkpoints()).toMatchObject([{ checkpoint: first, name: "Works well" }]);
      await own.nameCheckpoint(first!, undefined);
      expect((await own.checkpoints())[0]).not.toHaveProperty("name");
      expect(await codeOf(own.nameCheckpoint("c9-00000000", "x"))).toBe("missing");
      await own.stop();
    });

    apart(
      "W181",
      "removes old checkpoints over the size limit from the disk; named, needed and newest ones stay",
      async () => {
        const own = await openNew();
        await put(own, "large.bin", "x".repeat(1000) + "#".repeat(1_000_000));
        const [first, second, third, fourth, fifth] = await saveMany(own, 5);
        await own.files.remove(toProjectPath("large.bin"));
        const last = await own.checkpoint("last");
        await own.nameCheckpoint(second!, "Works");
        const keepThird = new Set([third!]);
        const now = Date.now() + 400 * DAY;
        const roomy = await own.thin({ maxBytes: 1e9, keep: keepThird, now });
        expect(roomy.thinned).toEqual([]);
        const { thinned, bytes } = await own.thin({ maxBytes: 1, keep: keepThird, now });
        expect(thinned).toEqual([first, fourth, fifth]);
        expect(bytes).toBeLessThan(roomy.bytes);
        expect((await own.checkpoints()).map(({ checkpoint }) => checkpoint)).toEqual([
          second,
          third,
          last.checkpoint,
        ]);
        expect(await codeOf(own.restore(first!))).toBe("missing");
        await own.restore(second!);
        expect(await text("a.txt", own)).toBe("2\n");
        // Removed content is stored again when it reappears, under a new name.
        await put(own, "a.txt", "1\n");
        const again = await own.checkpoint("again");
        expect(again.checkpoint).toMatch(/^c7\b/);
        await own.restore(last.checkpoint);
        await own.restore(again.checkpoint);
        expect(await text("a.txt", own)).toBe("1\n");
        await own.stop();
      },
    );

    apart(
      "W182",
      "copies a checkpoint and earlier ones to a new project, which shares nothing with this one",
      async () => {
        const own = await openNew();
        const [first, second] = await saveMany(own, 3);
        const stateDirectory = join(contract.folder, "w182-state");
        await own.copyCheckpoints(second!, stateDirectory);
        const other = await openNew({ directory: join(contract.folder, "w182"), stateDirectory });
        expect((await other.checkpoints()).map(({ checkpoint }) => checkpoint)).toEqual([
          first,
          second,
        ]);
        await other.restore(second!);
        expect(await text("a.txt", other)).toBe("2\n");
        await put(other, "a.txt", "else\n");
        expect((await other.checkpoint("its own")).checkpoint).toMatch(/^c[34]\b/);
        expect(await text("a.txt", own)).toBe("3\n");
        await other.restore(first!);
        await other.stop();
        await own.restore(first!);
        expect(await text("a.txt", own)).toBe("1\n");
        await own.stop();
      },
    );
  });
}
