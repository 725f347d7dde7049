import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

export function describeFiles(contract: Contract): void {
  const { text, exited, rule } = contract;
  describe("files", () => {
    rule("W1", "reads back what was written, byte for byte", async () => {
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

    rule(
      "W2",
      "the version depends on the content, and is the same from write and read",
      async () => {
        const first = await contract.shared.files.write(toProjectPath("w2"), "one");
        const second = await contract.shared.files.write(toProjectPath("w2"), "two");
        expect(second.created).toBe(false);
        expect(second.version).not.toBe(first.version);
        expect((await contract.shared.files.read(toProjectPath("w2"))).version).toBe(
          second.version,
        );
        expect((await contract.shared.files.write(toProjectPath("w2"), "one")).version).toBe(
          first.version,
        );
      },
    );

    rule(
      "W3",
      "F12 refuses a write over another writer's change, with the current version",
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

    rule("W4", "F12 of many concurrent writes with one version, exactly one succeeds", async () => {
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

    rule("W5", "`absent` refuses an existing file and allows a new one", async () => {
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

    rule("W6", "distinguishes a missing file from a folder when reading", async () => {
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

    rule("W7", "F20 does not load a file over the limit", async () => {
      await contract.shared.files.write(toProjectPath("w7"), "0123456789");
      expect(await codeOf(contract.shared.files.read(toProjectPath("w7"), { limit: 9 }))).toBe(
        "too-large",
      );
      expect(await codeOf(contract.shared.files.read(toProjectPath("w7"), { limit: 10 }))).toBe(
        "none",
      );
    });

    rule("W9", "F23 preserves byte order mark, CRLF and a missing last newline", async () => {
      const content = "\uFEFFa\r\nb";
      await contract.shared.files.write(toProjectPath("w9"), content);
      expect(Buffer.from((await contract.shared.files.read(toProjectPath("w9"))).bytes)).toEqual(
        Buffer.from(content),
      );
    });

    rule(
      "W24",
      "F7 a write leaves no temporary file behind, and preserves the executable bit",
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
