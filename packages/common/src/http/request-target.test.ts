import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { once } from "node:events";
import { parse } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRequestTarget } from "./request-target.ts";

describe("a request target", () => {
  it.each([
    ["/", "/", ""],
    ["/a/b?c=d/../e", "/a/b", "?c=d/../e"],
    ["/a//b/", "/a//b/", ""],
    ["/R%26D%2f.pdf", "/R%26D%2f.pdf", ""],
    ["/[id]/x|y^z", "/[id]/x|y^z", ""],
    ['/s?q=100%&f[a]={"b":1}', "/s", '?q=100%&f[a]={"b":1}'],
    ["/a?b?c", "/a", "?b?c"],
    ["/a/../b", "/b", ""],
    ["/a/%2e%2E/b", "/b", ""],
    ["/a/.%2e/./b/.", "/b/", ""],
    ["/../../a/..", "/", ""],
    ["/a/...", "/a/...", ""],
    ["http://other.localhost:80/p?q", "/p", "?q"],
    ["HTTP://[::1]?q", "/", "?q"],
    ["https://x", "/", ""],
  ])("%s is parsed into path and query", (target, path, query) => {
    expect(readRequestTarget(target)).toEqual({ path, query, text: path + query });
  });

  it.each([
    undefined,
    "",
    "*",
    "x",
    "?x",
    "/x#/../.env",
    "/x?y#z",
    "/#",
    "http://h#/x",
    "http://h/x#y",
    "http://user@h/x",
    "http:///x",
    "http://h:port/",
    "ftp://h/x",
    "h:80",
    "/a\\..\\.env",
    "/a%",
    "/a%2",
    "/a%zz",
    "/a%00.png",
    "/a b",
    "/a\tb",
    "/a\r\nb",
    "/a?b c",
    "/é",
    "/a?é",
    "/{a}",
    '/"a"',
    "/<a>",
    "/`a`",
  ])("%j is rejected", (target) => {
    expect(readRequestTarget(target)).toBeUndefined();
  });
});

/** Parts that servers interpret differently, among ordinary ones. */
const piece = fc.constantFrom(
  ..."/ . .. ./ ../ // \\ # ? ?? ; : @ & = % %2e %2E %2f %5c %23 %3f %00 %zz a b.env .env .git x| [ ] ^ { } ` ' ~ + * http:// h".split(" "),
); // prettier-ignore
const target = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ unit: "binary-ascii", maxLength: 3 })),
    { maxLength: 12 },
  ) // prettier-ignore
  .map((all) => `/${all.join("")}`);

describe("every accepted target", () => {
  it("contains no user name", () => {
    expect(readRequestTarget("//x|@&")).toBeUndefined();
    expect(readRequestTarget("/./" + "/=@*")).toBeUndefined();
    expect(readRequestTarget("//h@??")).toBeUndefined();
    expect(readRequestTarget("//@vite/client")?.path).toBe("//@vite/client");
    expect(readRequestTarget("//x/a@b")?.path).toBe("//x/a@b");
  });

  it("is parsed as itself", () => {
    fc.assert(
      fc.property(target, (text) => {
        const read = readRequestTarget(text);
        if (read) expect(readRequestTarget(read.text)).toEqual(read);
      }),
      { numRuns: 5_000 },
    );
  });

  it("has the same path in WHATWG's URL, in Node's older parser, and in servers that cut at the first question mark", () => {
    fc.assert(
      fc.property(target, (text) => {
        const read = readRequestTarget(text);
        if (!read) return;
        const whatwg = new URL(`http://app.localhost${read.text}`);
        // Both escape some characters that browsers send unescaped.
        expect(plain(whatwg.pathname)).toBe(plain(read.path));
        expect(whatwg.hash).toBe("");
        expect(plain(parse(read.text).pathname!)).toBe(plain(read.path));
        expect(read.text.split(/[?#]/, 1)[0]).toBe(read.path);
        expect(decoded(read.path).split("/")).not.toContain("..");
      }),
      { numRuns: 5_000 },
    );
  });
});

/** Unchanged if its escapes are not UTF-8: any decoder would reject it. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const plain = (path: string) =>
  path.replace(/%(?:5b|5d|5e|7c|27)/gi, (code) => decodeURIComponent(code));

describe("Node's own server", () => {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(request.url));
  });
  beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
  afterAll(() => {
    server.close().closeAllConnections();
  });

  /** The target as received by a handler; undefined if Node rejected the request. */
  async function seen(text: string): Promise<string | undefined> {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("latin1").on("data", (part: string) => (answer += part));
    socket.write(`GET ${text} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, "latin1");
    await once(socket, "close");
    const [head, body = ""] = answer.split("\r\n\r\n");
    return head!.startsWith("HTTP/1.1 200") ? (JSON.parse(body.split("\r\n").at(-1)!) as string) : undefined; // prettier-ignore
  }

  it("passes exactly the forwarded text to its handlers", async () => {
    await fc.assert(
      fc.asyncProperty(target, async (text) => {
        const read = readRequestTarget(text);
        if (read) expect(await seen(read.text)).toBe(read.text);
      }),
      { numRuns: 200 },
    );
  });
});
