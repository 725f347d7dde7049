import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MANAGERS, toolOf } from "../package-managers/managers.ts";
import { createFetchedManagers } from "./fetched-managers.ts";

it("A37 downloads a limited number of versions named by projects, and always Treadle's own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-tools-"));
  try {
    let opened = 0;
    const tools = createFetchedManagers({
      folder: join(folder, "tools"),
      preparing: join(folder, "preparing"),
      open: () => Promise.reject(new Error(`opened ${++opened}`)),
    });
    const fetch = (version: string) => tools.fetch(toolOf("pnpm", version));
    await expect(fetch("9.0.0")).rejects.toThrow("opened 1");
    for (let patch = 0; patch < 32; patch++) mkdirSync(join(folder, "tools", `pnpm@8.0.${patch}`));
    await expect(fetch("9.0.0")).rejects.toThrow("there are 32 package managers");
    await fetch("8.0.3");
    await expect(fetch(MANAGERS.pnpm.version)).rejects.toThrow("opened 2");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
