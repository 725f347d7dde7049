import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

export function describePaths(contract: Contract): void {
  const { text, paths, rule } = contract;
  describe("paths and names", () => {
    rule("W10", "F24 creates and reads unusual names, or refuses them with a reason", async () => {
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

    // Types do not protect at run time: the sandbox itself refuses these paths as well.
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

    rule("W123", "A19 does not reach a project whose name begins like this one's", async () => {
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

    rule("W12", "does not write, remove or move the project's own folder", async () => {
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

    rule("W18", "rename moves, creates folders, and never replaces", async () => {
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
      "a refused rename names the path and the reason, and changes neither file",
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

    rule(
      "W19",
      "remove deletes a file, or a folder with its content, and reports a missing one",
      async () => {
        await contract.shared.files.write(toProjectPath("w19/a/b/c"), "x");
        await contract.shared.files.remove(toProjectPath("w19/a"));
        expect(await codeOf(contract.shared.files.read(toProjectPath("w19/a/b/c")))).toBe(
          "missing",
        );
        expect(await codeOf(contract.shared.files.remove(toProjectPath("w19/a")))).toBe("missing");
      },
    );
  });
}
