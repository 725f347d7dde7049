import { expect, it } from "vitest";
import { excuseUnreached } from "./excuse-unreached.ts";
import type { Observed } from "./observe.ts";

const seen = (more: Partial<Observed>): Observed => ({
  uncaughtErrors: [{ message: "TypeError: Failed to fetch" }],
  consoleErrors: [{ message: "TypeError: Failed to fetch" }, { message: "Error: mine" }],
  failedRequests: [],
  unreached: new Set(),
  ...more,
});

it("turns errors about hosts that cannot be reached from here into notes", () => {
  expect(excuseUnreached(seen({ unreached: new Set(["api.example"]) }))).toMatchObject({
    uncaughtErrors: [],
    consoleErrors: [
      { message: "This machine cannot reach api.example: TypeError: Failed to fetch" },
      { message: "Error: mine" },
      { message: "This machine cannot reach api.example: TypeError: Failed to fetch" },
    ],
  });
});

it("leaves them where every host was reached, or where the app's own server did not answer", () => {
  expect(excuseUnreached(seen({})).uncaughtErrors).toHaveLength(1);
  const own = { method: "GET", url: "/api", status: 0 };
  const both = seen({ unreached: new Set(["api.example"]), failedRequests: [own] });
  expect(excuseUnreached(both).uncaughtErrors).toHaveLength(1);
});
