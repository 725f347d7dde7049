import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { bareEnvironment, bin, startTreadle } from "./support/treadle.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let { treadle } = {} as Stage;
let project: string;
setStage({ own: true, page: false }, async (stage) => {
  ({ treadle } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await writeFile("src/kept.txt", "as it stood");
  // Named like folders that a backup omits.
  await writeFile("src/state/cache/kept.txt", "as it stood");
});

const writeFile = (path: string, content: string) =>
  treadle.api(`/api/projects/${project}/files/${path}`, {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text: content }),
  });

/** Runs a command of treadle's to its end. */
async function run(...words: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [bin, ...words], { env: bareEnvironment() });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

describe("a backup of the whole data folder", () => {
  const file = join(folder, "all.tar.gz");
  const restored = join(folder, "restored");

  it("is made while the server runs and writes, and is accessible to its owner only", async () => {
    const renaming = Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        treadle.api(`/api/projects/${project}`, {
          method: "PATCH",
          body: JSON.stringify({ name: `Name ${index}` }),
        }),
      ),
    );
    const made = await run("backup", file, "--data", treadle.data);
    await renaming;
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining(file) as string });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["all.tar.gz"]);
  });

  it("restores projects, their files and their logs into an empty folder", async () => {
    expect(await run("restore", file, "--data", restored)).toMatchObject({ code: 0 });
    const other = await startTreadle({ data: restored });
    try {
      const list = (await (await other.api("/api/projects")).json()) as {
        projects: { id: string }[];
      };
      expect(list.projects.map(({ id }) => id)).toEqual([project]);
      for (const path of ["src/kept.txt", "src/state/cache/kept.txt"]) {
        const response = await other.api(`/api/projects/${project}/files/${path}`);
        expect(await response.json()).toMatchObject({ text: "as it stood" });
      }
      expect(other.token).toBe(treadle.token);
    } finally {
      await other.kill("SIGTERM");
    }
  });

  it("neither overwrites anything nor accepts an invalid backup, and leaves nothing behind", async () => {
    expect(await run("restore", file, "--data", treadle.data)).toMatchObject({
      code: 2,
      output: expect.stringContaining("is not empty and was left as it is") as string,
    });
    const broken = join(folder, "broken.tar.gz");
    const target = join(folder, "target");
    writeFileSync(broken, "no archive");
    mkdirSync(target);
    expect(await run("restore", broken, "--data", target)).toMatchObject({
      code: 2,
      output: expect.stringContaining("Nothing was restored") as string,
    });
    expect(readdirSync(target)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes("restoring"))).toEqual([]);
    const missing = await run("backup", join(folder, "none.tar.gz"), "--data", target);
    expect([missing.code, existsSync(join(folder, "none.tar.gz"))]).toEqual([2, false]);
  });
});
