import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

export function describeSearch(contract: Contract): void {
  const { rule } = contract;
  describe("search", () => {
    rule("W22", "finds lines by text and by expression, up to its limits", async () => {
      await contract.shared.files.write(
        toProjectPath("w22/a.ts"),
        "const a = (1);\nconst B = 2;\n",
      );
      await contract.shared.files.write(toProjectPath("w22/node_modules/x.ts"), "const a = (1);\n");
      const search = (query: object) =>
        contract.shared.files.search({ under: "w22", ...query } as never);
      expect((await search({ pattern: "(1)" })).matches).toEqual([
        { path: "w22/a.ts", line: 1, text: "const a = (1);" },
      ]);
      expect((await search({ pattern: "^const \\w", regex: true })).matches).toHaveLength(2);
      expect((await search({ pattern: "b =", caseSensitive: true })).matches).toHaveLength(0);
      expect((await search({ pattern: "const", glob: "*.js" })).matches).toHaveLength(0);
      expect((await search({ pattern: "const", leaveOut: "*.ts" })).matches).toHaveLength(0);
      expect((await search({ pattern: "const", leaveOut: "*.js" })).matches).toHaveLength(2);
      expect(await search({ pattern: "const", limit: 1 })).toMatchObject({ more: true });
    });

    rule(
      "W23",
      "accepts a pattern that begins with a dash, and refuses an invalid expression",
      async () => {
        await contract.shared.files.write(toProjectPath("w23"), "--files\n");
        expect(
          (await contract.shared.files.search({ pattern: "--files", under: toProjectPath("w23") }))
            .matches,
        ).toHaveLength(1);
        expect(await codeOf(contract.shared.files.search({ pattern: "(", regex: true }))).toBe(
          "failed",
        );
      },
    );

    rule("W144", "returns the lines around a match, each once", async () => {
      const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
      lines[3] = "needle-w144";
      lines[6] = "needle-w144";
      await contract.shared.files.write(toProjectPath("w144.ts"), `${lines.join("\n")}\n`);
      const { matches, more } = await contract.shared.files.search({
        pattern: "needle-w144",
        around: 2,
      });
      expect(matches.map(({ line, beside }) => (beside ? -line : line))).toEqual([
        -2, -3, 4, -5, -6, 7, -8, -9,
      ]);
      expect(more).toBe(false);
    });

    rule("W184", "A107 reads files with any characters, and buffers no endless line", async () => {
      const odd = "needle-w184 \u2028 \u2029 \u0085 \r \v x";
      await contract.shared.files.write(toProjectPath("w184/a.txt"), `${odd}\n`);
      // ripgrep's record of it is many times as long, and longer than the limit of a record.
      await contract.shared.run("(yes needle-w184 | head -c 4000000 | tr '\\n' ' ') > w184/b.txt");
      const { matches, more } = await contract.shared.files.search({
        pattern: "needle-w184",
        under: toProjectPath("w184"),
      });
      expect(matches).toEqual([{ path: "w184/a.txt", line: 1, text: odd }]);
      expect(more).toBe(true);
      await contract.shared.run("rm -r w184");
    });

    rule(
      "W26",
      "searches the listed files: a .gitignore hides nothing written by hand, and a glob adds nothing",
      async () => {
        await contract.shared.files.write(toProjectPath("w26/.gitignore"), "*\n");
        await contract.shared.files.write(toProjectPath("w26/a.ts"), "needle-w26\n");
        await contract.shared.files.write(toProjectPath("w26/dist/b.ts"), "needle-w26\n");
        await contract.shared.files.write(toProjectPath("w26/node_modules/c.ts"), "needle-w26\n");
        await contract.shared.files.write(toProjectPath("dist/w26.ts"), "needle-w26\n");
        for (const glob of [undefined, "*.ts", "**/*.ts"]) {
          const query = { pattern: "needle-w26", glob };
          const found = (await contract.shared.files.search(query)).matches.map(
            (match) => match.path,
          );
          expect(found).toEqual(["dist/w26.ts", "w26/a.ts", "w26/dist/b.ts"]);
        }
      },
    );
  });
}
