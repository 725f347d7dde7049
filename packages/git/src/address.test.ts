import { describe, expect, it } from "vitest";
import { readGitAddress, reachGit } from "./address.ts";

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { code: string }).code,
  );

describe("the address of a repository", () => {
  it.each([
    ["https://github.com/a/b.git", { kind: "https", host: "github.com", port: 443, name: "b" }],
    ["github.com/a/b", { kind: "https", url: "https://github.com/a/b", name: "b" }],
    ["git@github.com:a/b.git", { kind: "ssh", user: "git", port: 22, name: "b" }],
    ["ssh://git@[::1]:2222/a/b", { kind: "ssh", host: "[::1]", port: 2222 }],
    ["http://git.lan:3000/a/b/", { kind: "http", port: 3000, name: "b" }],
  ])("%s is valid", (text, expected) => {
    expect(readGitAddress(text)).toMatchObject(expected);
  });

  it("never contains a password after parsing", () => {
    const read = readGitAddress("https://ada:s%40crt@example.com/a/b");
    expect(read).toMatchObject({ user: "ada", password: "s@crt", url: "https://example.com/a/b" });
  });

  it.each([
    "",
    "-oProxyCommand=x:y",
    "--upload-pack=x",
    "ext::sh -c x",
    "ext::sh",
    "fd::17",
    "file:///etc/passwd",
    "/etc/passwd",
    "../x",
    "git://a.com/b",
    "ftp://a.com/b",
    "https://-a.com/b",
    "ssh://-oProxyCommand=x/b",
    "ssh://-oX@a.com/b",
    "https://a.com/b c",
    "https://a.com/b\nc",
    "https://a.com/b?x",
    "https://a.com",
    "https://%zz/b",
  ])("A26 %j is invalid", (text) => {
    expect(() => readGitAddress(text)).toThrow(expect.objectContaining({ code: "git-address" }));
  });
});

describe("A39 the host of an address", () => {
  const address = readGitAddress("https://a.com/b");
  const at =
    (...addresses: string[]) =>
    async () =>
      addresses;

  it("is resolved once, and must be public", async () => {
    expect(await reachGit(address, false, at("93.184.216.34"))).toBe("93.184.216.34");
    for (const inner of [
      ["127.0.0.1"],
      ["93.184.216.34", "10.0.0.1"],
      ["::1"],
      ["169.254.169.254"],
      [],
    ])
      // prettier-ignore
      expect(await codeOf(reachGit(address, false, at(...inner)))).toBe("git-local");
  });

  it.each(["localhost", "127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "x.localhost"])(
    "%s is only contacted if the person allowed it",
    async (host) => {
      const local = readGitAddress(`http://${host}/b`);
      expect(await codeOf(reachGit(local, false, at("127.0.0.1")))).toBe("git-local");
      expect(await reachGit(local, true, at("127.0.0.1"))).toMatch(/127\.0\.0\.1|7f00:1/);
    },
  );

  it("is never a cloud's metadata service, whatever was allowed", async () => {
    expect(await codeOf(reachGit(address, true, at("169.254.169.254")))).toBe("git-refused");
  });

  it("is not contacted over plain http on the internet", async () => {
    const plain = readGitAddress("http://a.com/b");
    expect(await codeOf(reachGit(plain, false, at("93.184.216.34")))).toBe("git-plain");
  });
});
