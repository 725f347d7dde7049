import { describe, expect, it } from "vitest";
import { portOrigin, previewPath } from "./preview-address.ts";
import { readPreviewMessage } from "./preview-messages.ts";

const origin = "http://k3q.localhost:4173";

describe("a typed address of the app", () => {
  it.each([
    ["/about?x=1#y", "/about?x=1#y"],
    ["about", "/about"],
    ["http://k3q.localhost:4173/a", "/a"],
  ])("%s opens %s", (typed, path) => {
    expect(previewPath(typed, origin)).toBe(path);
  });

  it.each([
    "http://evil.com/",
    "//evil.com/x",
    "javascript:alert(1)",
    "https://k3q.localhost:4173/",
  ])("%s is rejected", (typed) => {
    expect(previewPath(typed, origin)).toBeUndefined();
  });
});

it("puts another port of the app into the host name", () => {
  expect(portOrigin(origin, undefined, 5173)).toBe(origin);
  expect(portOrigin(origin, 5173, 5173)).toBe(origin);
  expect(portOrigin(origin, 3000, 5173)).toBe("http://k3q--3000.localhost:4173");
});

describe("a message of a previewed page (A15)", () => {
  it("is accepted if it reports the address", () => {
    const at = { type: "location", path: "/a", title: "A" };
    const message = { type: "treadle:location", path: "/a", title: "A" };
    expect(readPreviewMessage(message)).toEqual({ ...at, hot: false });
    expect(readPreviewMessage({ ...message, hot: true })).toEqual({ ...at, hot: true });
  });

  it("is accepted if it reports the page's state", () => {
    const seen = { rendered: false, uncaughtErrors: [{ message: "x", source: "a.ts:1:2" }] };
    expect(readPreviewMessage({ type: "treadle:seen", seen })).toEqual({
      type: "seen",
      rendered: false,
      thrown: { message: "x", source: "a.ts:1:2" },
    });
    const odd = { rendered: 1, overlay: "o".repeat(9000), uncaughtErrors: [null] };
    expect(readPreviewMessage({ type: "treadle:seen", seen: odd })).toEqual({
      type: "seen",
      rendered: false,
      overlay: "o".repeat(2000),
    });
  });

  it("does not report as a fault of the app what the browser denies framed pages", () => {
    const denied = { message: "SecurityError: x", by: "frame" };
    const read = (seen: object) => readPreviewMessage({ type: "treadle:seen", seen });
    const fine = { type: "seen", rendered: true, needsTab: true };
    expect(read({ rendered: false, overlay: "o", uncaughtErrors: [denied] })).toEqual(fine);
    expect(read({ rendered: false, frameDenied: true, uncaughtErrors: [{ message: "y" }] })).toEqual(fine); // prettier-ignore
    expect(read({ rendered: true, uncaughtErrors: [denied, { message: "y" }] })).toEqual({
      ...fine,
      thrown: { message: "y", source: undefined },
    });
  });

  it.each([
    null,
    "treadle:location",
    { type: "treadle:location" },
    { type: "treadle:location", path: "http://evil.com" },
    { type: "treadle:location", path: `/${"a".repeat(5000)}` },
    { type: "treadle:seen" },
    { type: "other", path: "/" },
  ])("is ignored otherwise", (data) => {
    expect(readPreviewMessage(data)).toBeUndefined();
  });
});
