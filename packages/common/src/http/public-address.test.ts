import { expect, it } from "vitest";
import { publicPreviewOrigin, readPublicAddress } from "./public-address.ts";

const read = (url?: string, preview?: string) =>
  readPublicAddress({ TREADLE_URL: url, TREADLE_PREVIEW_URL: preview });

it("places previews below the workbench's host, or on a domain of their own", () => {
  expect(read("https://builder.example.org/")).toEqual({
    origin: "https://builder.example.org",
    host: "builder.example.org",
    previewDomain: "builder.example.org",
    previewEnd: "",
  });
  const own = read("https://builder.example.org:8443", "https://*.apps.example.net")!;
  expect(own.host).toBe("builder.example.org:8443");
  expect(publicPreviewOrigin(own, "abc", 8787)).toBe("https://abc--8787.apps.example.net");
  const ported = read("https://builder.example.org:8443")!;
  expect(publicPreviewOrigin(ported, "abc")).toBe("https://abc.builder.example.org:8443");
});

it("is absent on a server that only this machine reaches", () => {
  expect([read(), read("", "")]).toEqual([undefined, undefined]);
});

it.each([
  ["http://builder.example.org", undefined],
  ["https://builder.example.org/treadle", undefined],
  ["https://user@builder.example.org", undefined],
  ["https://localhost:4173", undefined],
  ["https://abc.localhost", undefined],
  ["builder.example.org", undefined],
  ["https://203.0.113.7", undefined],
  ["https://[2001:db8::1]", undefined],
  [undefined, "https://*.apps.example.net"],
  ["https://builder.example.org", "https://apps.example.net"],
  ["https://builder.example.org", "http://*.apps.example.net"],
  ["https://builder.example.org", "https://*.apps.example.net/path"],
  ["https://builder.example.org", "https://*.localhost"],
  ["https://builder.example.org", "https://*.org"],
  ["https://builder.example.org", "https://*.example.org"],
])("refuses %s with previews at %s", (url, preview) => {
  expect(() => read(url, preview)).toThrow(/TREADLE_|--preview-url/);
});

it("lets an address have previews on a domain", () => {
  expect(read("https://203.0.113.7", "https://*.apps.example.net")?.host).toBe("203.0.113.7");
});
