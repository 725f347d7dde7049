import { EventEmitter } from "node:events";
import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import { whileConnected } from "./while-connected.ts";

function createBrowser() {
  const browser = Object.assign(new EventEmitter(), { isConnected: (): boolean => true });
  return {
    browser: browser as unknown as Browser,
    listeners: () => browser.listenerCount("disconnected"),
    end() {
      browser.isConnected = () => false;
      browser.emit("disconnected");
    },
  };
}
const never = new Promise<string>(() => {});

it("waits for an operation as long as the browser is connected", async () => {
  const { browser, listeners } = createBrowser();
  await expect(whileConnected(browser, Promise.resolve("seen"), 1)).resolves.toBe("seen");
  await expect(whileConnected(browser, Promise.reject(new Error("own")), 1)).rejects.toThrow("own");
  expect(listeners()).toBe(0);
});

it("stops waiting for a browser that is gone", async () => {
  const { browser, listeners, end } = createBrowser();
  const begun = whileConnected(browser, never, 1);
  end();
  await expect(begun).rejects.toThrow("The browser was closed while the page was open.");
  await expect(whileConnected(browser, never, 1)).rejects.toThrow("The browser was closed");
  expect(listeners()).toBe(0);
});

it("allows earlier observations to be reported", async () => {
  const { browser, end } = createBrowser();
  const seen = Promise.withResolvers<string>();
  const begun = whileConnected(browser, seen.promise, 60_000);
  end();
  seen.resolve("half a page");
  await expect(begun).resolves.toBe("half a page");
});
