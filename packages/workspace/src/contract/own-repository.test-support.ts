import { toProjectPath } from "@treadle/protocol/project-path";
import { execFileSync } from "node:child_process";
import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Workspace } from "../types.ts";

/**
 * Tests a repository in a personal folder that is opened by a server running as root.
 * @param open opens a folder of this name, to be released later
 */
export function ownRepositoryWorks(
  open: (name: string) => { directory: string; open(): Promise<Workspace> },
): void {
  it.runIf(process.getuid?.() === 0)(
    "stays usable for the person's git while the project is open, and for git inside",
    async () => {
      const place = open("works");
      const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null" };
      const git = (folder: string, ...words: string[]) =>
        execFileSync("git", ["-C", join(place.directory, folder), ...words], { env }).toString();
      execFileSync("git", ["init", "-q", place.directory]);
      execFileSync("git", ["init", "-q", join(place.directory, "parts/one")]);
      writeFileSync(join(place.directory, "a.txt"), "one");
      const modeOf = (path: string) => lstatSync(join(place.directory, path)).mode;
      const modes = [modeOf("."), modeOf("parts/one")];
      const workspace = await place.open();
      try {
        const inside = await workspace.run(
          "echo two > a.txt && echo new > b.txt && rm b.txt && echo new > parts/one/c.txt && git status --short && git -C parts/one status --short",
        );
        expect(inside.output).toBe("?? a.txt\n?? parts/\n?? c.txt\n");
        await workspace.files.write(toProjectPath("d.txt"), "four");
        git(".", "add", "a.txt");
        expect(git(".", "status", "--short")).toBe("A  a.txt\n?? d.txt\n?? parts/\n");
        expect(git("parts/one", "status", "--short")).toBe("?? c.txt\n");
      } finally {
        await workspace.stop();
      }
      expect([modeOf("."), modeOf("parts/one")]).toEqual(modes);
      for (const path of [".", ".git", "a.txt", "d.txt", "parts/one/c.txt"])
        expect([path, lstatSync(join(place.directory, path)).uid]).toEqual([path, 0]);
    },
  );
}
