import { toProjectPath } from "@treadle/protocol/project-path";
import { duplexPair } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";

import { encodeFrame } from "../wire/frames.ts";
import { WIRE_VERSION } from "../wire/version.ts";
import { fuzzHost } from "../attacks/hostile-guest.ts";
import { ANSWER_MS, createGuestEnds, LATE_MS, STOPPED_MS } from "./guest-link.ts";

it("A48 invalid messages from a compromised guest end its own link and nothing else", async () => {
  for (let seed = 1; seed <= 400; seed++)
    expect((await fuzzHost(seed, 30)).problem, `seed ${seed}`).toBeUndefined();
});

it.each([
  ["an answer that nobody asked for", { kind: "reply", id: 9, ok: true, result: null }],
  ["an answer of another kind", { kind: "reply", id: 1, ok: true, result: { files: {} } }],
  ["words that are none", { kind: "own the host" }],
])("%s ends the guest, and pending requests are rejected", async (_, header) => {
  const [near, far] = duplexPair();
  const broken = Promise.withResolvers<void>();
  const ends = createGuestEnds({ onMessage: () => undefined, onBroken: broken.resolve });
  ends.takeControl(near);
  const asked = ends.request("list", {});
  asked.catch(() => undefined);
  far.write(Buffer.concat(encodeFrame(header)));
  await broken.promise;
  ends.gone();
  await expect(asked).rejects.toMatchObject({ code: "sandbox" });
});

it.each([
  ["another version", { kind: "ready", pid: 2, version: WIRE_VERSION + 1 }],
  ["a time before there were versions", { kind: "ready", pid: 2 }],
])("refuses a guest of %s with a message", async (_, header) => {
  const [near, far] = duplexPair();
  const ends = createGuestEnds({ onMessage: () => undefined, onBroken: () => undefined });
  ends.takeControl(near);
  far.write(Buffer.concat(encodeFrame(header)));
  const why = await ends.whenReady(new Promise(() => undefined), () => "");
  expect(why?.coded?.code).toBe("guest-other-version");
});

it("accepts a guest of this build", async () => {
  const [near, far] = duplexPair();
  const ends = createGuestEnds({ onMessage: () => undefined, onBroken: () => undefined });
  ends.takeControl(near);
  far.write(Buffer.concat(encodeFrame({ kind: "ready", pid: 2, version: WIRE_VERSION })));
  expect(await ends.whenReady(new Promise(() => undefined), () => "")).toBeUndefined();
});

afterEach(() => void vi.useRealTimers());

it("A98 ends a guest that was stopped for good, and never one that answers in time", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const [near, far] = duplexPair();
  let broken = 0;
  const ends = createGuestEnds({ onMessage: () => undefined, onBroken: () => broken++ });
  ends.takeControl(near);
  const answer = (id: number) =>
    near.emit("data", Buffer.concat(encodeFrame({ kind: "reply", id, ok: true, result: null })));
  far.resume();
  for (let id = 1; id <= 20; id++) {
    ends.request("remove", { path: toProjectPath("a") }).catch(() => undefined);
    vi.advanceTimersByTime(ANSWER_MS - 1_000);
    answer(id);
  }
  vi.advanceTimersByTime(10 * ANSWER_MS);
  // A message that arrived while this process was busy counts as well.
  ends.request("remove", { path: toProjectPath("a") }).catch(() => undefined);
  vi.advanceTimersByTime(ANSWER_MS + LATE_MS - 1);
  answer(21);
  vi.advanceTimersByTime(10 * ANSWER_MS);
  expect(broken).toBe(0);
  ends.request("remove", { path: toProjectPath("a") }).catch(() => undefined);
  vi.advanceTimersByTime(ANSWER_MS + LATE_MS);
  expect(broken).toBe(1);
});

it("A98 ends a guest whose process is stopped while a request is pending, and not one that continues", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const [near, far] = duplexPair();
  let [broken, stopped] = [0, true];
  const ends = createGuestEnds({
    onMessage: () => undefined,
    onBroken: () => broken++,
    isStopped: () => stopped,
  });
  ends.takeControl(near);
  far.resume();
  // No request is pending.
  vi.advanceTimersByTime(10 * STOPPED_MS);
  ends.request("remove", { path: toProjectPath("a") }).catch(() => undefined);
  vi.advanceTimersByTime(STOPPED_MS);
  stopped = false;
  vi.advanceTimersByTime(STOPPED_MS);
  stopped = true;
  vi.advanceTimersByTime(2 * STOPPED_MS - 1);
  expect(broken).toBe(0);
  vi.advanceTimersByTime(1);
  expect(broken).toBe(1);
});

it("a guest is at rest once all requests are answered and no file transfer is open", async () => {
  const [near, far] = duplexPair();
  const ends = createGuestEnds({ onMessage: () => undefined, onBroken: () => undefined });
  ends.takeControl(near);
  const answer = (id: number, result: unknown) =>
    far.write(Buffer.concat(encodeFrame({ kind: "reply", id, ok: true, result })));
  const path = toProjectPath("a");
  let isAtRest = false;
  await ends.atRest();
  const opened = ends.request("read-open", { path });
  const resting = ends.atRest().then(() => (isAtRest = true));
  answer(1, { handle: 7, size: 0 });
  const { result } = await opened;
  expect(isAtRest).toBe(false);
  const closed = ends.request("transfer-close", result);
  expect(isAtRest).toBe(false);
  answer(2, null);
  await closed;
  expect(await resting).toBe(true);
  // A guest that has gone blocks nobody.
  ends.request("read-open", { path }).catch(() => undefined);
  const last = ends.atRest();
  ends.gone();
  await last;
});
