import fc from "fast-check";
import { expect, it } from "vitest";
import { readSymlinks } from "./read-symlinks.ts";

const list = (...links: unknown[]) => readSymlinks(JSON.stringify(links));

it("reads the alternative names of libraries", () => {
  expect(list({ source: "native/lib/libpq.so.5.17", target: "native/lib/libpq.so.5" })).toEqual([
    { path: "native/lib/libpq.so.5", text: "libpq.so.5.17" },
  ]);
  expect(list()).toEqual([]);
});

it("refuses links that are created elsewhere or lead elsewhere", () => {
  const source = "native/lib/a.so";
  for (const target of [
    "/etc/passwd",
    "native/lib/../../x",
    "native/lib/..",
    "native/bin/postgres",
    "native/lib/a/b",
    7,
  ])
    expect(list({ source, target })).toBeUndefined();
  expect(list({ source: "/etc/passwd", target: "native/lib/a.so" })).toBeUndefined();
  expect(list(null)).toBeUndefined();
  expect(readSymlinks("{")).toBeUndefined();
});

it("never returns a link outside of the libraries' folder, whatever the input", () => {
  const part = fc.constantFrom("native", "lib", "..", ".", "", "a.so", "bin", "\0", "\\");
  const path = fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(fc.record({ source: path, target: path })), (links) => {
      for (const { path: at, text } of list(...links) ?? []) {
        expect(at.startsWith("native/lib/")).toBe(true);
        expect(at.split("/")).toHaveLength(3);
        expect(text).not.toMatch(/\/|^\.{1,2}$/);
      }
    }),
  );
});
