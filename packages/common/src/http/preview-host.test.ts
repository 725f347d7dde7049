import { expect, test } from "vitest";
import {
  appOrigins,
  isPreviewHost,
  previewOrigin,
  readPreviewHost,
  siblingOrigin,
} from "./preview-host.ts";

test.each([
  ["abc123.localhost", { capability: "abc123" }],
  ["ABC.localhost:4000", { capability: "abc" }],
  ["abc--5173.localhost:4000", { capability: "abc", port: 5173 }],
  ["abc--0.localhost", undefined],
  ["abc--65536.localhost", undefined],
  ["abc--5173--22.localhost", undefined],
  ["a.abc.localhost", undefined],
  ["localhost:4000", undefined],
  ["abc.localhost.evil.com", undefined],
  ["abc.localhost@evil.com", undefined],
  [undefined, undefined],
])("parses %s", (host, expected) => {
  expect(readPreviewHost(host)).toEqual(expected);
});

test("everything below localhost belongs to the gateway, known or not; localhost itself does not", () => {
  expect(
    ["x.localhost", "x.localhost:1", "a.b.localhost"].every((host) => isPreviewHost(host)),
  ).toBe(true);
  expect(
    ["localhost", "localhost:1", "127.0.0.1", "x.localhost.com"].some((host) =>
      isPreviewHost(host),
    ),
  ).toBe(false);
});

test("below another domain, only names of that domain are previews", () => {
  const domain = "apps.example.net";
  expect(readPreviewHost("abc--80.apps.example.net:8443", domain)).toEqual({
    capability: "abc",
    port: 80,
  });
  for (const host of [
    "abc.localhost",
    "apps.example.net",
    "abcapps.example.net",
    "a.abc.apps.example.net",
  ])
    // prettier-ignore
    expect(readPreviewHost(host, domain)).toBeUndefined();
});

test("another port of a project is beside its preview", () => {
  expect(siblingOrigin("https://abc--3000.apps.example.net:8443", 80)).toBe(
    "https://abc--80.apps.example.net:8443",
  );
  expect(siblingOrigin("http://abc.localhost:4000", 80)).toBe("http://abc--80.localhost:4000");
});

test("a preview has the scheme and port of Treadle's page", () => {
  expect(previewOrigin("http://localhost:4000", "abc")).toBe("http://abc.localhost:4000");
  expect(previewOrigin("http://localhost:4000", "abc", 80)).toBe("http://abc--80.localhost:4000");
  expect(appOrigins("http://localhost:4000")).toContain("http://127.0.0.1:4000");
});
