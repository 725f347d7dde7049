import { expect, it } from "vitest";
import { isAllowedHost } from "./allowed-host.ts";

const list = ["a.com"];

it.each([
  "a.com.evil.com",
  "evil-a.com",
  "evil\0.a.com",
  "b.a.com",
  "",
  "127.0.0.1",
  "::1",
  "a.com ",
])("A29 refuses %j where only a.com is allowed", (host) =>
  expect(isAllowedHost(host, list)).toBe(false),
);

it("A29 takes A.COM. for a.com", () => expect(isAllowedHost("A.COM.", list)).toBe(true));

it("A30 reads an empty list as none", () => expect(isAllowedHost("a.com", [])).toBe(false));

it("never takes an address for a name, even where it is listed", () =>
  expect(isAllowedHost("10.0.0.1", ["10.0.0.1"])).toBe(false));
