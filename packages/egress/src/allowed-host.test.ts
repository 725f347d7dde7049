import { describe, expect, it } from "vitest";
import { isAllowedHost, nameHost, normaliseAllowedHost } from "./allowed-host.ts";

const list = ["a.com", "*.b.org", "db.c.net:5432"];

it.each([
  "a.com.evil.com",
  "evil-a.com",
  "evil\0.a.com",
  "x.a.com",
  "b.org",
  "evilb.org",
  "x.b.org.evil.com",
  ".b.org",
  "x..b.org",
  "",
  "127.0.0.1",
  "::1",
  "127.1",
  "0x7f000001",
  "2130706433",
  "a.com ",
  "a.com@evil.com",
])("A29 refuses %j, which is not on the list", (host) =>
  expect(isAllowedHost(host, 443, list)).toBe(false),
);

it.each(["a.com", "A.COM.", "x.b.org", "deep.X.B.ORG"])("A29 accepts %j", (host) =>
  expect(isAllowedHost(host, 443, list)).toBe(true),
);

it("A30 an empty list allows nothing", () => expect(isAllowedHost("a.com", 443, [])).toBe(false));

it("never accepts an address as a name, even if it is listed", () => {
  expect(isAllowedHost("10.0.0.1", 443, ["10.0.0.1"])).toBe(false);
  expect(isAllowedHost("localhost", 443, ["localhost"])).toBe(false);
});

it("an entry without a port means 443 and 80, one with a port only that", () => {
  expect([443, 80, 22, 8443].map((port) => isAllowedHost("a.com", port, list))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([443, 5432].map((port) => isAllowedHost("db.c.net", port, list))).toEqual([false, true]);
});

describe("the stored form of an entry", () => {
  it.each([
    ["API.Example.com.", "api.example.com"],
    [" *.Example.com ", "*.example.com"],
    ["example.com:8443", "example.com:8443"],
    ["bücher.example", "xn--bcher-kva.example"],
  ])("%j is kept as %j", (text, normalised) => expect(normaliseAllowedHost(text)).toBe(normalised));

  it.each([
    "*",
    "*.com",
    "*.*.com",
    "a*.com",
    "com",
    "localhost",
    "x.localhost",
    "printer.local",
    "metadata.google.internal",
    "10.0.0.1",
    "[::1]",
    "https://a.com",
    "a.com/path",
    "a.com:0",
    "a.com:99999",
    "a b.com",
    "-a.com",
    "",
  ])("rejects %j", (text) => expect(normaliseAllowedHost(text)).toBe(undefined));
});

it("names a refused host in the form of the list", () => {
  expect(nameHost("API.a.com.", 443)).toBe("api.a.com");
  expect(nameHost("a.com", 8443)).toBe("a.com:8443");
});
