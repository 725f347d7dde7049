import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

export function describeFiles(contract: Contract): void {
  const { text, exited, openNew, paths, rule } = contract;
  describe("files", () => {
    rule("W1", "what was written is read back, byte for byte", async () => {
      const bytes = new Uint8Array([0, 255, 10, 13, 195, 40, 0]);
      const { size, created } = await contract.shared.files.write(
        toProjectPath("w1/deep/er/file.bin"),
        bytes,
      );
      expect([size, created]).toEqual([7, true]);
      expect([
        ...(await contract.shared.files.read(toProjectPath("w1/deep/er/file.bin"))).bytes,
      ]).toEqual([...bytes]);
    });

    rule("W2", "the version is the content's, and the same from write and read", async () => {
      const first = await contract.shared.files.write(toProjectPath("w2"), "one");
      const second = await contract.shared.files.write(toProjectPath("w2"), "two");
      expect(second.created).toBe(false);
      expect(second.version).not.toBe(first.version);
      expect((await contract.shared.files.read(toProjectPath("w2"))).version).toBe(second.version);
      expect((await contract.shared.files.write(toProjectPath("w2"), "one")).version).toBe(
        first.version,
      );
    });

    rule(
      "W3",
      "F12 a write on top of another hand's write is refused with the version that stands",
      async () => {
        const { version } = await contract.shared.files.write(toProjectPath("w3"), "mine");
        const theirs = await contract.shared.files.write(toProjectPath("w3"), "theirs");
        const refused = contract.shared.files.write(toProjectPath("w3"), "again mine", {
          ifVersion: version,
        });
        await expect(refused).rejects.toMatchObject({ code: "conflict", version: theirs.version });
        expect(await text("w3")).toBe("theirs");
      },
    );

    rule("W4", "F12 of many writes at once over one version exactly one succeeds", async () => {
      const { version } = await contract.shared.files.write(toProjectPath("w4"), "start");
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          codeOf(
            contract.shared.files.write(toProjectPath("w4"), `writer ${n}`, { ifVersion: version }),
          ),
        ),
      );
      expect(all.filter((code) => code === "none")).toHaveLength(1);
      expect(all.filter((code) => code === "conflict")).toHaveLength(11);
    });

    rule("W5", "`absent` refuses what exists and lets what does not", async () => {
      await contract.shared.files.write(toProjectPath("w5"), "x", { ifVersion: "absent" });
      expect(
        await codeOf(
          contract.shared.files.write(toProjectPath("w5"), "y", { ifVersion: "absent" }),
        ),
      ).toBe("conflict");
      expect(
        await codeOf(
          contract.shared.files.write(toProjectPath("w5-none"), "y", { ifVersion: "0".repeat(40) }),
        ),
      ).toBe("conflict");
    });

    rule("W6", "reading what is not there, and what is a folder, says which", async () => {
      await contract.shared.files.write(toProjectPath("w6/file"), "x");
      expect(await codeOf(contract.shared.files.read(toProjectPath("w6/none")))).toBe("missing");
      expect(await codeOf(contract.shared.files.read(toProjectPath("w6")))).toBe("not-a-file");
      expect(await codeOf(contract.shared.files.write(toProjectPath("w6"), "x"))).toBe(
        "not-a-file",
      );
      expect(await codeOf(contract.shared.files.write(toProjectPath("w6/file/below"), "x"))).toBe(
        "not-a-folder",
      );
    });

    rule("W7", "F20 a file over the limit is not loaded", async () => {
      await contract.shared.files.write(toProjectPath("w7"), "0123456789");
      expect(await codeOf(contract.shared.files.read(toProjectPath("w7"), { limit: 9 }))).toBe(
        "too-large",
      );
      expect(await codeOf(contract.shared.files.read(toProjectPath("w7"), { limit: 10 }))).toBe(
        "none",
      );
    });

    rule(
      "W8",
      "F20 a sparse file of 1 GB is listed with its size and refused to be read",
      async () => {
        await contract.shared.run("truncate -s 1G w8.bin");
        expect(
          (await contract.shared.files.list()).files.find((file) => file.path === "w8.bin")?.size,
        ).toBe(2 ** 30);
        expect(await codeOf(contract.shared.files.read(toProjectPath("w8.bin")))).toBe("too-large");
        await contract.shared.files.remove(toProjectPath("w8.bin"));
      },
    );

    rule("W9", "F23 byte order mark, CRLF and a missing last newline are kept", async () => {
      const content = "\uFEFFa\r\nb";
      await contract.shared.files.write(toProjectPath("w9"), content);
      expect(Buffer.from((await contract.shared.files.read(toProjectPath("w9"))).bytes)).toEqual(
        Buffer.from(content),
      );
    });

    rule("W10", "F24 odd names are made and read, or refused with a reason", async () => {
      const names = [
        "ü-\u00e9",
        "u\u0308",
        "😀.txt",
        "a'b\"c",
        "-rf",
        "trailing.",
        "CON",
        "two\nlines",
        "$(id)",
        "%41",
      ];
      for (const name of names) {
        await contract.shared.files.write(toProjectPath(`w10/${name}`), name);
        expect(await text(`w10/${name}`)).toBe(name);
      }
      const listed = await paths("w10");
      for (const name of names) expect(listed).toContain(`w10/${name}`);
      expect(
        await codeOf(contract.shared.files.write(toProjectPath(`w10/${"x".repeat(255)}`), "x")),
      ).toBe("none");
      expect(
        await codeOf(contract.shared.files.write(`w10/${"x".repeat(256)}` as ProjectPath, "x")),
      ).toBe("path");
    });

    // A type is no wall: what no border lets through is refused inside the sandbox as well.
    for (const path of [
      "../../etc/x",
      "/etc/passwd",
      "C:\\x",
      "..\\x",
      "%2e%2e/x",
      "a\0b",
      "a/../../x",
      "a/%2E%2E/b",
    ])
      rule("W11", `A18 ${JSON.stringify(path)} is refused in every operation`, async () => {
        const { files } = contract.shared;
        const all = [
          files.read(path as ProjectPath),
          files.write(path as ProjectPath, "x"),
          files.remove(path as ProjectPath),
          files.rename(path as ProjectPath, toProjectPath("w11")),
          files.rename(toProjectPath("w2"), path as ProjectPath),
          files.list({ under: path as ProjectPath }),
          files.search({ pattern: "x", under: path as ProjectPath }),
        ];
        expect(new Set(await Promise.all(all.map(codeOf)))).toEqual(new Set(["path"]));
      });

    rule("W123", "A19 a project whose name begins like this one's is not reached", async () => {
      const folder = join(contract.folder, "w123");
      const open = (name: string) =>
        contract.openNew({
          directory: join(folder, name),
          stateDirectory: join(folder, `${name}-state`),
        });
      const [own, other] = [await open("app"), await open("app-evil")];
      await other.files.write(toProjectPath("x"), "of the other");
      await own.run(`ln -s ../app-evil linked; ln -s ${join(folder, "app-evil")} linked-too`);
      for (const path of [
        "../app-evil/x",
        `${folder}/app-evil/x`,
        "linked/x",
        "linked-too/x",
        "../app/../app-evil/x",
      ]) {
        expect([path, await codeOf(own.files.read(path as ProjectPath))]).toEqual([path, "path"]);
        expect([path, await codeOf(own.files.write(path as ProjectPath, "y"))]).toEqual([
          path,
          "path",
        ]);
      }
      expect(await text("x", other)).toBe("of the other");
      await Promise.all([own.stop(), other.stop()]);
    });

    rule("W12", "the project's own folder is neither written nor removed nor moved", async () => {
      for (const path of ["", ".", "./", "a/.."]) {
        expect(await codeOf(contract.shared.files.write(path as ProjectPath, "x"))).not.toBe(
          "none",
        );
        expect(await codeOf(contract.shared.files.remove(path as ProjectPath))).not.toBe("none");
        expect(
          await codeOf(contract.shared.files.rename(path as ProjectPath, toProjectPath("w12"))),
        ).not.toBe("none");
      }
    });

    rule("W18", "rename moves, makes folders, and never replaces", async () => {
      await contract.shared.files.write(toProjectPath("w18/a"), "a");
      await contract.shared.files.write(toProjectPath("w18/b"), "b");
      await contract.shared.files.rename(toProjectPath("w18/a"), toProjectPath("w18/new/folder/a"));
      expect(await text("w18/new/folder/a")).toBe("a");
      expect(
        await codeOf(
          contract.shared.files.rename(toProjectPath("w18/new/folder/a"), toProjectPath("w18/b")),
        ),
      ).toBe("exists");
      expect(
        await codeOf(
          contract.shared.files.rename(toProjectPath("w18/none"), toProjectPath("w18/c")),
        ),
      ).toBe("missing");
    });

    rule(
      "W130",
      "a rename that is refused says what about which path, and both stay as they were",
      async () => {
        const { files, run } = contract.shared;
        await files.write(toProjectPath("w130/src/deep/a"), "a");
        await files.write(toProjectPath("w130/b"), "b");
        await run("mkdir w130/empty; ln -s b w130/link");
        const refusals: [from: string, to: string, code: string, named: string][] = [
          ["w130/none", "w130/c", "missing", '"w130/none"'],
          ["w130/src", "w130/src/inner", "path", '"w130/src"'],
          ["w130/src", "w130/src/deep/er/x", "path", '"w130/src"'],
          ["w130/src", "w130/src", "exists", '"w130/src"'],
          ["w130/src", "w130/empty", "exists", '"w130/empty"'],
          ["w130/src", "w130/b", "exists", '"w130/b"'],
          ["w130/b", "w130/link", "exists", '"w130/link"'],
          ["w130/b", "w130/src/deep/a", "exists", '"w130/src/deep/a"'],
          ["w130/b", "w130/src/deep/a/x", "not-a-folder", '"w130/src/deep/a/x"'],
        ];
        for (const [from, to, code, named] of refusals)
          await expect(
            files.rename(toProjectPath(from), toProjectPath(to)),
            `${from} to ${to}`,
          ).rejects.toMatchObject({
            code,
            message: expect.stringContaining(named) as string,
          });
        expect(await text("w130/src/deep/a")).toBe("a");
        expect(await text("w130/b")).toBe("b");
        expect(await paths("w130")).toEqual([
          "w130/b",
          "w130/empty",
          "w130/link",
          "w130/src",
          "w130/src/deep",
          "w130/src/deep/a",
        ]);
      },
    );

    rule("W132", "F20 a file of any size goes in and out in pieces, byte for byte", async () => {
      const { files } = contract.shared;
      const sent = createHash("sha256");
      const pieces = function* () {
        for (let n = 0; n < 40; n++) {
          // Of sizes that fall on no border.
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
      "what breaks off while it is written leaves what was there, and nothing else",
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
      "F20 the beginning of 1 GB can be read, and readers that are left hold nothing",
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
      "F25 a tree of 2,000 files is listed whole, and dependencies cost it nothing",
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
      "W19",
      "remove takes a file, or a folder with all it holds, and says when there is none",
      async () => {
        await contract.shared.files.write(toProjectPath("w19/a/b/c"), "x");
        await contract.shared.files.remove(toProjectPath("w19/a"));
        expect(await codeOf(contract.shared.files.read(toProjectPath("w19/a/b/c")))).toBe(
          "missing",
        );
        expect(await codeOf(contract.shared.files.remove(toProjectPath("w19/a")))).toBe("missing");
      },
    );

    rule(
      "W20",
      "list is sorted, folders before what they hold, without dependencies, .git and caches",
      async () => {
        for (const path of [
          "b/z",
          "b/a",
          "a",
          "node_modules/x/index.js",
          "b/node_modules/y",
          ".vite/z",
        ])
          await contract.shared.files.write(toProjectPath(`w20/${path}`), "x");
        await contract.shared.run("mkdir w20/.git; echo x > w20/.git/config");
        expect(await paths("w20")).toEqual(["w20/a", "w20/b", "w20/b/a", "w20/b/z"]);
      },
    );

    rule("W21", "list stops at its limit and says that there is more", async () => {
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

    rule(
      "W24",
      "F7 a write leaves no temporary file behind, and keeps the executable bit",
      async () => {
        await contract.shared.run("mkdir w24; echo x > w24/run.sh; chmod 755 w24/run.sh");
        await contract.shared.files.write(toProjectPath("w24/run.sh"), "echo y");
        expect(exited(await contract.shared.run("ls -A w24; ./w24/run.sh")).output).toBe(
          "run.sh\ny\n",
        );
      },
    );
  });
}
