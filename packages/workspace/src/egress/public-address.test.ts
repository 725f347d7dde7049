import { expect, it } from "vitest";
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
  "not an address",
])("A39: %s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

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
])("A39: %s is refused", async (host) => {
  const answers: Record<string, string[]> = {
    "metadata.example": ["169.254.169.254"],
    "both.example": ["93.184.215.14", "127.0.0.1"],
    localhost: ["93.184.215.14"],
  };
  await expect(publicAddresses(host, async (name) => answers[name] ?? [])).rejects.toThrow(
    "is not a public address",
  );
});

it("gives the addresses of a public host, to be connected to as they are", async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return ["93.184.215.14"];
  };
  expect(await publicAddresses("Example.COM.", resolve)).toEqual(["93.184.215.14"]);
  expect(asked).toEqual(["example.com"]);
});
