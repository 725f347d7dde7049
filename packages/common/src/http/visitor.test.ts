import { describe, expect, it } from "vitest";
import { clientOf, isForwarding, readTrustedProxies } from "./visitor.ts";

describe("trusted proxies", () => {
  it("are programs on this machine, unless the settings name others or none", () => {
    expect(readTrustedProxies(undefined).has("127.0.0.1")).toBe(true);
    expect(readTrustedProxies("").has("::1")).toBe(true);
    expect(readTrustedProxies(undefined).has("::ffff:127.0.0.1")).toBe(true);
    expect(readTrustedProxies(undefined).has("192.168.1.2")).toBe(false);
    expect(readTrustedProxies("none").has("127.0.0.1")).toBe(false);
    const named = readTrustedProxies("10.0.0.0/8, fd00::/8");
    expect(["10.1.2.3", "fd00::1", "11.0.0.1", "127.0.0.1", "", undefined].map(named.has)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each(["caddy", "10.0.0.0/33", "10.0.0.0/", "1.2.3.4,,", "fd00::/129", "none,127.0.0.1"])(
    "rejects %s, naming the variable",
    (text) => {
      expect(() => readTrustedProxies(text)).toThrow(/TREADLE_PROXIES/);
    },
  );
});

it.each(["x-forwarded-for", "x_forwarded_for", "forwarded", "x-real-ip", "true-client-ip", "cf-connecting-ip", "client-ip", "x-forwarded"])(
  "%s claims the client's identity",
  (name) => expect(isForwarding(name)).toBe(true),
); // prettier-ignore
it.each(["forward", "x-ip", "skip", "accept", "x-zip", "real-ip-x"])("%s does not", (name) =>
  expect(isForwarding(name)).toBe(false),
);

it.each([
  ["1.2.3.4", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::9", "2001:db8:1:2"],
  ["2001:db8::9", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["", ""],
  ["no:address", ""],
])("groups %s as the client %s", (address, client) => {
  expect(clientOf(address)).toBe(client);
});
