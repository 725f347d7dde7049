import { createServer } from "node:http";
import { duplexPair } from "node:stream";
import { expect, it } from "vitest";
import { createReleaseSlot, type ReleaseServer } from "./release-slot.ts";
import { switchRelease } from "./switch-release.ts";
import type { ReleaseApp } from "./release-app.ts";

const NOT_DONE = () => Promise.reject(new Error("not done in this test"));

function serverOf(release: number, parts: Partial<ReleaseApp>): ReleaseServer & { kind: "app" } {
  const app: Partial<ReleaseApp> = {
    start: async () => {},
    sleep: async () => {},
    async connect() {
      const [near, far] = duplexPair();
      createServer((_, response) => void response.end("well")).emit("connection", far);
      return near;
    },
    hasData: async () => false,
    ...parts,
  };
  return { release, kind: "app", app: app as ReleaseApp };
}

const how = (parts: Partial<Parameters<typeof switchRelease>[2]>) => ({
  dataOf: undefined,
  signal: new AbortController().signal,
  record: async () => {},
  onNotice() {},
  ...parts,
});

it("takes over the first data that the old app writes while the new one starts", async () => {
  let hasRows = false;
  const before = serverOf(1, { hasData: async () => hasRows });
  const taken: ReleaseApp[] = [];
  const next = serverOf(2, {
    start: async () => void (hasRows = true),
    async takeData(from) {
      taken.push(from);
      return NOT_DONE();
    },
  });
  const slot = createReleaseSlot();
  slot.put(before);
  await expect(switchRelease(slot, next, how({ dataOf: before.app }))).rejects.toThrow("not done");
  expect([taken, slot.current()]).toEqual([[before.app], before]);
});

it("stops an app whose record could not be written, and the old one continues", async () => {
  const before = serverOf(1, {});
  const log: string[] = [];
  const next = serverOf(2, { sleep: async () => void log.push("asleep") });
  const slot = createReleaseSlot();
  slot.put(before);
  const record = () => Promise.reject(new Error("the disk is full"));
  await expect(switchRelease(slot, next, how({ dataOf: before.app, record }))).rejects.toThrow(
    "full",
  );
  expect([log, slot.current()]).toEqual([["asleep"], before]);
  // No request is waiting any more.
  expect((await slot.enter())?.releaseServer).toBe(before);
});

it("switches releases even if the app whose files were read fails to end", async () => {
  const notices: string[] = [];
  const dataOf = serverOf(1, { sleep: () => Promise.reject(new Error("busy")) });
  const next = serverOf(3, {});
  const slot = createReleaseSlot();
  slot.put({ release: 2, kind: "site", answer: async () => {} });
  await switchRelease(
    slot,
    next,
    how({ dataOf: dataOf.app, onNotice: ({ message }) => notices.push(message) }),
  );
  expect([slot.current(), notices]).toEqual([next, ["busy"]]);
});
