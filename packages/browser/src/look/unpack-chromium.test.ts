import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeFontConfiguration } from "./unpack-chromium.ts";

it("finds the unpacked fonts where they are, in a folder of any name, and is written once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-fonts-&-"));
  mkdirSync(join(folder, "fonts"));
  try {
    const both = await Promise.all([
      writeFontConfiguration(folder),
      writeFontConfiguration(folder),
    ]);
    expect(both[0]).toBe(both[1]);
    const text = readFileSync(both[0]!, "utf8");
    expect(text).toContain(`<dir>${join(folder, "fonts/fonts").replace("&", "&amp;")}</dir>`);
    expect(readdirSync(join(folder, "fonts"))).toEqual(["treadle.conf"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
