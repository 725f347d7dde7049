import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { findInstallation } from "../host/installation.ts";
import { writeImageContext } from "./image-context.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-context-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("an image contains everything that was bundled for the guest, and no merely compiled files", async () => {
  ensureGuest();
  await writeImageContext(folder, findInstallation(), process.arch === "arm64" ? "arm64" : "x64");
  for (const part of [
    "guest.mjs",
    "take-dials.cjs",
    "count-code.cjs",
    "bin/treadle-language-server",
    "language-servers/svelte/package.json",
    "language-servers/vue/package.json",
    "node_modules/@lydell/node-pty/package.json",
  ])
    expect(existsSync(join(folder, "guest", part)), part).toBe(true);
  expect(readdirSync(join(folder, "guest")).filter((name) => name.endsWith(".d.ts"))).toEqual([]);
});
