import { toProjectPath } from "@treadle/protocol/project-path";
import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

const DEEP = "d".repeat(200);
/**
 * Nested folders that are longer than any path; a sparse file of 9 GB; circular links; a pipe;
 * unusual names.
 */
const ENDLESS = `node -e 'for(let n=0;n<1000;n++){fs.mkdirSync("${DEEP}");process.chdir("${DEEP}")}' && truncate -s 9G hole.bin && ln -s . up && ln -s loop loop && mkfifo pipe && printf x > "$(printf 'odd-\\377')" && mkdir shut && printf x > shut/in && chmod 000 shut/in`;

export function describeManyFiles(contract: Contract): void {
  const { text, exited, openNew, paths, rule } = contract;
  describe("large files, and many", () => {
    rule("W8", "F20 lists a sparse file of 1 GB with its size and refuses to read it", async () => {
      await contract.shared.run("truncate -s 1G w8.bin");
      expect(
        (await contract.shared.files.list()).files.find((file) => file.path === "w8.bin")?.size,
      ).toBe(2 ** 30);
      expect(await codeOf(contract.shared.files.read(toProjectPath("w8.bin")))).toBe("too-large");
      await contract.shared.files.remove(toProjectPath("w8.bin"));
    });

    rule("W132", "F20 reads and writes a file of any size in pieces, byte for byte", async () => {
      const { files } = contract.shared;
      const sent = createHash("sha256");
      const pieces = function* () {
        for (let n = 0; n < 40; n++) {
          // Sizes that are no multiple of a piece.
          const piece = Buffer.alloc(700_001 + n * 13_007, n);
          sent.update(piece);
          yield piece;
        }
      };
      const { size, created, version } = await files.writeStream(toProjectPath("w132"), pieces(), {
        ifVersion: "absent",
      });
      expect(created).toBe(true);
      const got = createHash("sha256");
      const sha1 = createHash("sha1");
      const stream = await files.readStream(toProjectPath("w132"));
      expect(stream.size).toBe(size);
      for await (const piece of stream.pieces) {
        expect(piece.length).toBeLessThanOrEqual(1024 * 1024);
        got.update(piece);
        sha1.update(piece);
      }
      expect(got.digest("hex")).toBe(sent.digest("hex"));
      expect(sha1.digest("hex")).toBe(version);
      const other = files.writeStream(toProjectPath("w132"), [Buffer.from("x")], {
        ifVersion: "absent",
      });
      await expect(other).rejects.toMatchObject({ code: "conflict", version });
      await files.remove(toProjectPath("w132"));
    });

    rule(
      "W133",
      "a write that is interrupted leaves the previous file, and nothing else",
      async () => {
        const { files } = contract.shared;
        await files.write(toProjectPath("w133/a"), "stands");
        const broken = files.writeStream(
          toProjectPath("w133/a"),
          (function* () {
            yield Buffer.alloc(5_000_000, 1);
            throw new Error("the line was cut");
          })(),
        );
        await expect(broken).rejects.toThrow("the line was cut");
        expect(await text("w133/a")).toBe("stands");
        expect(exited(await contract.shared.run("ls -A w133")).output).toBe("a\n");
      },
    );

    rule(
      "W134",
      "F20 reads the beginning of 1 GB, and abandoned readers hold nothing",
      async () => {
        const { files, run } = contract.shared;
        await run("truncate -s 1G w134");
        // More of them than may be open at once.
        for (let n = 0; n < 70; n++) {
          const { size, pieces } = await files.readStream(toProjectPath("w134"));
          expect(size).toBe(2 ** 30);
          for await (const piece of pieces) {
            expect(piece.length).toBeGreaterThan(0);
            break;
          }
        }
        await files.remove(toProjectPath("w134"));
      },
    );

    rule(
      "W135",
      "F25 lists a tree of 2,000 files completely, at no cost for its dependencies",
      async () => {
        const own = await openNew();
        await own.run(
          `node -e 'const fs=require("fs");for(const t of ["src","node_modules"])for(let d=0;d<20;d++){fs.mkdirSync(t+"/d"+d,{recursive:true});for(let f=0;f<100;f++)fs.writeFileSync(t+"/d"+d+"/f"+f,"")}'`,
        );
        const { files, more } = await own.files.list({ limit: 100_000 });
        expect([files.length, more]).toEqual([2_021, false]);
        expect(files.filter(({ path }) => path.includes("node_modules"))).toEqual([]);
        const first = await own.files.list({ limit: 2_000 });
        expect([first.files.length, first.more]).toEqual([2_000, true]);
        await own.stop();
      },
    );

    rule(
      "W20",
      "the list is sorted, with folders before their content, without dependencies, .git and caches",
      async () => {
        for (const path of ["b/z", "b/a", "a", "node_modules/x/index.js", "b/node_modules/y"])
          await contract.shared.files.write(toProjectPath(`w20/${path}`), "x");
        await contract.shared.run(
          "mkdir w20/.git w20/.vite; echo x > w20/.git/config; echo x > w20/.vite/z",
        );
        expect(await paths("w20")).toEqual(["w20/a", "w20/b", "w20/b/a", "w20/b/z"]);
      },
    );

    rule(
      "W194",
      "F20 lists, saves and removes a tree that was made to be endless, and names what is left out",
      async () => {
        const own = await openNew();
        await own.files.write(toProjectPath("a.txt"), "a");
        exited(await own.run(ENDLESS));
        const { files, leftOut = [] } = await own.files.list();
        const shown = files.map(({ path }) => String(path));
        expect(shown).toEqual(expect.arrayContaining(["a.txt", DEEP, "hole.bin", "up", "pipe"]));
        expect(leftOut.map(({ why }) => why)).toEqual(["depth"]);
        const before = await own.revision();
        expect(await own.revision()).toBe(before);
        // Whether a file without any permission can be read depends on the sandbox's user.
        const named = () =>
          own
            .leftOut()
            .filter(({ why }) => why !== "unreadable")
            .map(({ path, why }) => `${why} ${path.slice(0, 4)}`);
        expect(named()).toEqual(["depth dddd", "size hole"]);
        await own.run("printf 1 | dd of=hole.bin conv=notrunc 2>/dev/null");
        expect(await own.revision()).not.toBe(before);
        const checkpoint = await own.checkpoint("all");
        expect((await own.files.search({ pattern: "a" })).matches.length).toBeGreaterThan(0);
        await own.files.write(toProjectPath("a.txt"), "b");
        await own.restore(checkpoint.checkpoint);
        expect(await text("a.txt", own)).toBe("a");
        for (const path of [DEEP, "hole.bin"]) await own.files.remove(toProjectPath(path));
        expect(await own.revision()).not.toBe(before);
        expect(named()).toEqual([]);
        await own.stop();
      },
    );

    rule("W21", "the list stops at its limit and says that there is more", async () => {
      for (const name of ["a", "b", "c"])
        await contract.shared.files.write(toProjectPath(`w21/${name}`), "x");
      const { files, more } = await contract.shared.files.list({
        under: toProjectPath("w21"),
        limit: 2,
      });
      expect([files.length, more]).toEqual([2, true]);
      expect(
        (await contract.shared.files.list({ under: toProjectPath("w21"), limit: 3 })).more,
      ).toBe(false);
    });

    rule("W167", "lists only files that programs outside obey, if requested", async () => {
      const { files } = contract.shared;
      for (const name of [".vscode/tasks.json", "AGENTS.md", "a.ts", "b/package.json", "c/d.ts"])
        await files.write(toProjectPath(`w167/${name}`), "x");
      const under = toProjectPath("w167");
      const listed = async (only: "obeyed" | "manifests", limit = 10) => {
        const found = await files.list({ under, only, limit });
        return [...found.files.map(({ path }) => path.slice(5)), found.more];
      };
      expect(await listed("obeyed")).toEqual([".vscode/tasks.json", "AGENTS.md", false]);
      expect(await listed("obeyed", 1)).toEqual([".vscode/tasks.json", true]);
      expect(await listed("manifests")).toEqual(["b/package.json", false]);
    });
  });
}
