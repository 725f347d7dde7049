import { describe, expect, it } from "vitest";
import { portOrigin, previewPath } from "./preview-address.ts";
import { readPreviewMessage } from "./preview-messages.ts";

const origin = "http://k3q.localhost:4173";

describe("what is typed as an address of the app", () => {
  it.each([
    ["/about?x=1#y", "/about?x=1#y"],
    ["about", "/about"],
    ["http://k3q.localhost:4173/a", "/a"],
  ])("%s leads to %s", (typed, path) => {
    expect(previewPath(typed, origin)).toBe(path);
  });

  it.each([
    "http://evil.com/",
    "//evil.com/x",
    "javascript:alert(1)",
    "https://k3q.localhost:4173/",
  ])("%s leads nowhere", (typed) => {
    expect(previewPath(typed, origin)).toBeUndefined();
  });
});

it("names another port of the app in its host", () => {
  expect(portOrigin(origin, undefined, 5173)).toBe(origin);
  expect(portOrigin(origin, 5173, 5173)).toBe(origin);
  expect(portOrigin(origin, 3000, 5173)).toBe("http://k3q--3000.localhost:4173");
});

describe("what a previewed page says (A15)", () => {
  it("is heard when it tells where it is", () => {
    const said = { type: "treadle:location", path: "/a", title: "A" };
    expect(readPreviewMessage(said)).toEqual({ path: "/a", title: "A", hot: false });
    expect(readPreviewMessage({ ...said, hot: true })).toEqual({
      path: "/a",
      title: "A",
      hot: true,
    });
  });

  it.each([
    null,
    "treadle:location",
    { type: "treadle:location" },
    { type: "treadle:location", path: "http://evil.com" },
    { type: "treadle:location", path: `/${"a".repeat(5000)}` },
    { type: "other", path: "/" },
  ])("is passed over otherwise", (data) => {
    expect(readPreviewMessage(data)).toBeUndefined();
  });
});
