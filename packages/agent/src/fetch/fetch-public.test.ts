import { Readable } from "node:stream";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { FETCH_BYTES, fetchPublic, REDIRECTS, type Open } from "./fetch-public.ts";

const { signal } = new AbortController();

function response(
  headers: Record<string, string>,
  body: Uint8Array | string = "",
  statusCode = 200,
): IncomingMessage {
  return Object.assign(Readable.from([Buffer.from(body)]), { statusCode, headers }) as never;
}

/** Connects nowhere, and reports where it would have connected. */
function opener(answers: (url: URL) => IncomingMessage = () => response({}, "x")) {
  const opened: string[] = [];
  const open: Open = async (url, address) => {
    opened.push(`${url.href} at ${address}`);
    return answers(url);
  };
  return { open, opened };
}

const PUBLIC = async () => ["93.184.216.34"];

describe("A39: what is not public is never connected to", () => {
  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest",
    "http://100.64.0.1/",
    "http://10.0.0.1/",
    "http://0.0.0.0/",
    "http://localhost/",
    "http://localhost./",
    "http://app.localhost/",
    "http://127.0.0.1./",
    "file:///etc/passwd",
    "ftp://example.com/",
    "https://me:secret@example.com/",
    "not an address",
  ])("%s", async (url) => {
    const { open, opened } = opener();
    await expect(fetchPublic(url, { signal, open, resolve: PUBLIC })).rejects.toThrow(
      expect.objectContaining({ name: "FetchRefused" }),
    );
    expect(opened).toEqual([]);
  });

  it("a public name that resolves to loopback, even as one of several addresses", async () => {
    for (const addresses of [["127.0.0.1"], ["93.184.216.34", "::1"], []]) {
      const { open, opened } = opener();
      const resolve = async () => addresses;
      await expect(fetchPublic("http://a.com/", { signal, open, resolve })).rejects.toThrow();
      expect(opened).toEqual([]);
    }
  });

  it("a resolver that changes its answer: what was looked at is what is connected to", async () => {
    let asked = 0;
    const resolve = async () => (++asked === 1 ? ["93.184.216.34"] : ["127.0.0.1"]);
    const { open, opened } = opener();
    await fetchPublic("http://a.com/", { signal, open, resolve });
    expect(opened).toEqual(["http://a.com/ at 93.184.216.34"]);
    expect(asked).toBe(1);
  });

  it.each(["http://127.0.0.1/", "http://[::1]/", "file:///etc/passwd", "//169.254.169.254/"])(
    "a redirect to %s",
    async (location) => {
      const { open, opened } = opener(() => response({ location }, "", 302));
      await expect(fetchPublic("http://a.com/", { signal, open, resolve: PUBLIC })).rejects.toThrow(
        expect.objectContaining({ name: "FetchRefused" }),
      );
      expect(opened).toHaveLength(1);
    },
  );
});

it("follows a few redirects, and not for ever", async () => {
  const { open } = opener((url) =>
    url.pathname === "/b" ? response({}, "there") : response({ location: "/b" }, "", 301),
  );
  const page = await fetchPublic("http://a.com/a", { signal, open, resolve: PUBLIC });
  expect(page.url).toBe("http://a.com/b");
  const round = opener(() => response({ location: "/" }, "", 302));
  await expect(
    fetchPublic("http://a.com/", { signal, open: round.open, resolve: PUBLIC }),
  ).rejects.toThrow("redirects");
  expect(round.opened).toHaveLength(REDIRECTS + 1);
});

it("A70 is redirected to another host only if that is allowed", async () => {
  const { open, opened } = opener(() => response({ location: "https://b.com/?q=secret" }, "", 302));
  const follows = (to: URL, from: URL) => to.host === from.host;
  const asked = fetchPublic("http://a.com/", { signal, open, resolve: PUBLIC, follows });
  await expect(asked).rejects.toThrow("It sends on to https://b.com/?q=secret");
  expect(opened).toHaveLength(1);
});

it("holds no more of a page than its limit", async () => {
  for (const [size, cut] of [
    [FETCH_BYTES, false],
    [FETCH_BYTES + 1, true],
  ] as const) {
    const { open } = opener(() => response({}, new Uint8Array(size)));
    const page = await fetchPublic("http://a.com/", { signal, open, resolve: PUBLIC });
    expect(page.bytes.length).toBe(FETCH_BYTES);
    expect(page.cut).toBe(cut);
  }
});
