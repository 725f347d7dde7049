import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { isPublicAddress, publicAddresses } from "./public-address.ts";

it.each([
  "127.0.0.1",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "ff02::1",
  // What carries the address of this machine, or of its network, in one of IPv6.
  "::7f00:1",
  "::127.0.0.1",
  "::a9fe:a9fe",
  "::808:808",
  "::ffff:7f00:1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b:1::808:808",
  "2002:808:808::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2606:4700::5efe:7f00:1",
  "2606:4700::200:5efe:a00:1",
  // Metadata services of clouds, outside of link-local ranges.
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "64:ff9b::a83f:8110",
  "100.100.100.200",
  "192.0.0.192",
  "not an address",
])("A39: %s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

describe("A39: an address of this machine's interfaces", () => {
  const own = [
    { address: "203.0.114.7", prefix: 24 },
    { address: "2606:4700:1::5", prefix: 64 },
    // Everything is behind it.
    { address: "8.8.4.4", prefix: 0 },
  ];
  const isPublic = (address: string) => isPublicAddress(address, () => own);

  it.each([
    "203.0.114.7",
    "203.0.114.200",
    "::ffff:203.0.114.7",
    "64:ff9b::cb00:7207",
    "2606:4700:1::5",
    "2606:4700:1::ffff",
    "8.8.4.4",
  ])("%s, and its network, is not public", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(["203.0.115.7", "2606:4700:2::5", "8.8.8.8"])("%s beside it is public", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it("is read each time", () => {
    const joined: typeof own = [];
    const asked = () => isPublicAddress("203.0.114.7", () => joined);
    expect(asked()).toBe(true);
    joined.push(own[0]!);
    expect(asked()).toBe(false);
  });

  it("is known by default", () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((one) => one ?? []))
      expect(isPublicAddress(address)).toBe(false);
  });
});

it.each([
  "localhost",
  "LOCALHOST.",
  "abc.localhost",
  "127.0.0.1",
  "[::1]",
  "169.254.169.254",
  "metadata.example",
  "both.example",
  "nowhere.example",
])("A39: refuses %s", async (host) => {
  const answers: Record<string, string[]> = {
    "metadata.example": ["169.254.169.254"],
    "both.example": ["93.184.215.14", "127.0.0.1"],
    localhost: ["93.184.215.14"],
  };
  await expect(publicAddresses(host, async (name) => answers[name] ?? [])).rejects.toThrow(
    "is not a public address",
  );
});

it("returns the addresses of a public host, to connect to exactly those", async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return ["93.184.215.14"];
  };
  expect(await publicAddresses("Example.COM.", resolve)).toEqual(["93.184.215.14"]);
  expect(asked).toEqual(["example.com"]);
});
