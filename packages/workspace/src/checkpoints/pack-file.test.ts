import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writePack } from "./pack-file.ts";

it("packs 20,000 short files with little more memory than their size, readable by git", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-pack-"));
  try {
    const objects = Array.from({ length: 20_000 }, (_, n) => {
      const bytes = Buffer.from(`export const n = ${n};\n`.repeat(10));
      const hash = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
      return { type: "blob" as const, hash, bytes };
    });
    const before = process.memoryUsage().arrayBuffers;
    await writePack(folder, objects);
    // It used to be 440 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60e6);
    const packs = join(folder, "objects/pack");
    const index = readdirSync(packs).find((name) => name.endsWith(".idx"))!;
    const listing = execFileSync("git", ["verify-pack", "-s", join(packs, index)]).toString();
    expect(listing).toContain("20000 objects");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
