import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import type * as FilesModule from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { launchBrowser } from "./launch-browser.ts";

/** Folders of browsers, and how many times removing one still fails. */
const disk = vi.hoisted(() => ({ folders: [] as string[], refusals: 0 }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof FilesModule>();
  return {
    ...real,
    async mkdtemp(prefix: string) {
      const folder = await real.mkdtemp(prefix);
      disk.folders.push(folder);
      return folder;
    },
    async rm(...given: Parameters<typeof real.rm>) {
      if (disk.refusals-- > 0) throw Object.assign(new Error("busy"), { code: "EBUSY" });
      return real.rm(...given);
    },
  };
});

/** A browser that does nothing. */
class Idle extends EventEmitter {
  isOpen = true;
  isConnected = () => this.isOpen;
  newBrowserCDPSession = async () => ({ send: async () => ({}) });
  async close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.emit("disconnected");
  }
}
vi.mock("playwright-core", () => ({ chromium: { launch: async () => new Idle() } }));

const launch = () =>
  launchBrowser({
    chromium: { executable: "/nowhere", env: {} },
    tools: undefined,
    gateway: { address: () => ({ host: "127.0.0.1", port: 9 }) } as never,
    outside: { registry: { url: new URL("https://npm.example.com/") }, registries: [], outside: { proxies: { except: [] } } } as never, // prettier-ignore
  });

it("removes at the next close what could not be removed at the first, which does not fail", async () => {
  const { close } = await launch();
  const folder = disk.folders.at(-1)!;
  disk.refusals = 1;
  await close();
  expect(existsSync(folder)).toBe(true);
  await close();
  expect(existsSync(folder)).toBe(false);
});

it("does not fail if its browser exits by itself and its folder stays", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const { browser, close } = await launch();
  const folder = disk.folders.at(-1)!;
  disk.refusals = 1;
  await browser.close();
  await expect.poll(() => disk.refusals).toBe(0);
  await new Promise(setImmediate);
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  await close();
  expect(existsSync(folder)).toBe(false);
});
