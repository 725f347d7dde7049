import { describe, expect, it } from "vitest";
import { readAppHost, readAppsDomain, toDomain } from "./app-hosts.ts";

describe("the host of a request for a published app", () => {
  it("is a name, in any case and at any port", () => {
    expect(readAppHost("Todo.localhost:4173", undefined)).toEqual({ name: "todo" });
    expect(readAppHost("todo.apps.example.com", "apps.example.com")).toEqual({ name: "todo" });
  });

  it("is a domain", () => {
    expect(readAppHost("Shop.Example.com.:443", undefined)).toEqual({ domain: "shop.example.com" });
    expect(readAppHost("xn--caf-dma.example", undefined)).toEqual({
      domain: "xn--caf-dma.example",
    });
  });

  it.each([
    undefined,
    "",
    "localhost:4173",
    "127.0.0.1:4173",
    "[::1]:4173",
    "a.todo.localhost",
    "todo--3000.localhost",
    "-todo.localhost",
    "treadle.localhost",
    "apps.example.com.localhost",
    "a.b.apps.example.com",
    "www.apps.example.com",
    "a_b.example.com",
    "shop.example.com/x",
    "user@shop.example.com",
  ])("rejects %s", (host) => {
    expect(readAppHost(host, "apps.example.com")).toBeUndefined();
  });
});

describe("a domain", () => {
  it.each([
    ["Shop.Example.com", "shop.example.com"],
    [" café.example. ", "xn--caf-dma.example"],
    ["商店.example", "xn--czrs0t.example"],
  ])("is taken as browsers send it: %s", (typed, domain) => {
    expect(toDomain(typed)).toBe(domain);
  });

  it.each([
    "example",
    "https://example.com",
    "example.com/shop",
    "example.com:80",
    "10.0.0.1",
    "1.2.3",
    "[::1]",
    "printer.local",
    "db.internal",
    "x.localhost",
    "*.example.com",
    "-a.example.com",
    `${"a".repeat(64)}.com`,
    "a..com",
  ])("rejects %s", (typed) => {
    expect(toDomain(typed)).toBeUndefined();
  });

  it("for all apps is rejected with the variable's name if it is invalid", () => {
    expect(readAppsDomain("")).toBeUndefined();
    expect(readAppsDomain("Apps.example.com")).toBe("apps.example.com");
    expect(() => readAppsDomain("http://x")).toThrow(/^TREADLE_APPS_DOMAIN is “http:\/\/x”/);
  });
});
