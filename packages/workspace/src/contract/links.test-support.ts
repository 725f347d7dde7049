import { randomUUID } from "node:crypto";
import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

export function describeLinks(contract: Contract): void {
  const { text, exited, paths, rule } = contract;
  describe("links, devices and races", () => {
    rule("W13", "A20 follows no link that leads outside", async () => {
      // A unique name: without a sandbox this is the machine's folder, shared with others.
      const outside = `/tmp/w13-${randomUUID()}`;
      await contract.shared.run(
        `mkdir w13 ${outside}; ln -s ${outside} w13/folder; ln -s /etc/passwd w13/file; echo kept > ${outside}/w13-kept; echo own > w13/own`,
      );
      const { files } = contract.shared;
      const attempts = {
        readFile: files.read(toProjectPath("w13/file")),
        writeFile: files.write(toProjectPath("w13/file"), "x"),
        readBelow: files.read(toProjectPath("w13/folder/w13-kept")),
        writeBelow: files.write(toProjectPath("w13/folder/new"), "x"),
        makeBelow: files.write(toProjectPath("w13/folder/a/b/new"), "x"),
        removeBelow: files.remove(toProjectPath("w13/folder/w13-kept")),
        renameFrom: files.rename(toProjectPath("w13/folder/w13-kept"), toProjectPath("w13/stolen")),
        renameTo: files.rename(toProjectPath("w13/own"), toProjectPath("w13/folder/own")),
      };
      const codes = await Promise.all(Object.values(attempts).map(codeOf));
      expect(Object.keys(attempts).filter((_, index) => codes[index] !== "path")).toEqual([]);
      expect(
        exited(await contract.shared.run(`cd ${outside}; cat w13-kept; ls; rm -r ${outside}`))
          .output,
      ).toBe("kept\nw13-kept\n");
    });

    rule("W14", "A20 listing and searching do not follow one either", async () => {
      await contract.shared.run("mkdir -p w14; ln -s /etc w14/etc; ln -s /etc/passwd w14/passwd");
      expect(await paths("w14")).toEqual(["w14/etc", "w14/passwd"]);
      expect(
        (await contract.shared.files.list({ under: toProjectPath("w14") })).files.map(
          (file) => file.kind,
        ),
      ).toEqual(["link", "link"]);
      const listed = await contract.shared.files
        .list({ under: toProjectPath("w14/etc") })
        .catch(() => ({ files: [] }));
      expect(listed.files).toEqual([]);
      const found = await contract.shared.files
        .search({ pattern: "root", under: toProjectPath("w14/etc") })
        .catch(() => ({ matches: [] }));
      expect(found.matches).toEqual([]);
    });

    rule(
      "W15",
      "A21 a folder that is constantly swapped for a link never leads outside",
      async () => {
        await contract.shared.run(
          "mkdir -p w15/real /tmp/w15; echo outside > /tmp/w15/f; echo inside > w15/real/f; ln -s /tmp/w15 w15/link",
        );
        const swap = contract.shared.run(
          "cd w15; until [ -e stop ]; do mv real dir; mv dir real; mv link dir; mv dir link; done",
        );
        for (let tries = 0; tries < 25; tries++) {
          const read = await contract.shared.files
            .read(toProjectPath("w15/dir/f"))
            .catch(() => undefined);
          if (read) expect(Buffer.from(read.bytes).toString()).toBe("inside\n");
          await contract.shared.files
            .write(toProjectPath("w15/dir/new"), "x")
            .catch(() => undefined);
        }
        await contract.shared.files.write(toProjectPath("w15/stop"), "");
        exited(await swap);
        expect(exited(await contract.shared.run("ls /tmp/w15")).output).toBe("f\n");
      },
    );

    rule("W16", "A22 refuses a FIFO and a device at once, without blocking", async () => {
      await contract.shared.run(
        "mkdir w16; mkfifo w16/fifo; ln -s /dev/zero w16/zero; python3 -c pass 2>/dev/null; true",
      );
      expect(await codeOf(contract.shared.files.read(toProjectPath("w16/fifo")))).toBe(
        "not-a-file",
      );
      expect(await codeOf(contract.shared.files.read(toProjectPath("w16/zero")))).toBe("path");
      expect(await codeOf(contract.shared.files.write(toProjectPath("w16/fifo"), "x"))).not.toBe(
        "none",
      );
    });

    rule("W17", "A22 writing one name of a hard link leaves the other unchanged", async () => {
      await contract.shared.run("mkdir w17; echo old > w17/a; ln w17/a w17/b");
      await contract.shared.files.write(toProjectPath("w17/a"), "new");
      expect(await text("w17/b")).toBe("old\n");
    });
  });
}
