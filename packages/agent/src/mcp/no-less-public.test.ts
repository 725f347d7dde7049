import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkedFetch } from "../fetch/checked-fetch.ts";
import { noLessPublic } from "./no-less-public.ts";

/** A service of this machine that nobody outside should reach; `/away` redirects to `next`. */
let next = "";
let asked: string[] = [];
const inner = createServer((request, response) => {
  asked.push(`${request.method} ${request.headers.host}${request.url}`);
  if (request.url === "/away") return void response.writeHead(307, { location: next }).end();
  response.end("inner");
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
  ({ port } = inner.address() as AddressInfo);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  inner.close();
  inner.closeAllConnections();
});

/** A resolver that returns these answers one after the other, and then always the last. */
const changing = (...answers: string[][]) => {
  const left = [...answers];
  return async () => (left.length > 1 ? left.shift()! : left[0]!);
};

const words = (failed: Promise<unknown>) =>
  failed.then(
    () => "answered",
    (error: Error) => `${error.message} ${(error.cause as Error | undefined)?.message ?? ""}`,
  );

const PUBLIC = ["93.184.216.34"];
const HERE = ["127.0.0.1"];

describe("A67 what is looked at is what is connected to", () => {
  it("a name that comes to stand for this machine, the server's own or one that it names", async () => {
    for (const name of ["mcp.example", "login.example"]) {
      const fetching = noLessPublic("http://mcp.example/mcp", undefined, changing(PUBLIC, HERE));
      expect(await words(fetching(`http://${name}:${port}/`))).toContain("not a public address");
    }
    expect(asked).toEqual([]);
  });

  it.each([["inward.example"], ["127.0.0.1"], ["[::1]"], ["localhost"]])(
    "a server of the internet is sent on to %s",
    async (host) => {
      next = `http://${host}:${port}/there`;
      // `away.example` stands for a public host: this machine serves it, as the test has no public address.
      const resolve = async (name: string) => (name === "away.example" ? PUBLIC : HERE);
      const fetching = checkedFetch(async (name) => {
        if (name === "away.example") return HERE;
        return noAddress(name, resolve);
      });
      expect(await words(fetching(`http://away.example:${port}/away`))).toContain("not a public");
      expect(asked).toEqual([`GET away.example:${port}/away`]);
    },
  );

  it("a name that stands for both sides makes no server of the network, which may name what it likes", async () => {
    for (const first of [
      [...PUBLIC, ...HERE],
      [...HERE, ...PUBLIC],
    ]) {
      const resolve = async (name: string) => (name === "mcp.example" ? first : HERE);
      const fetching = noLessPublic("http://mcp.example/mcp", undefined, resolve);
      expect(await words(fetching(`http://127.0.0.1:${port}/`))).toContain("not a public address");
      expect(await words(fetching(`http://inward.example:${port}/`))).toContain("not a public");
    }
    expect(asked).toEqual([]);
  });

  it("a server of the network is not one of the internet later on", async () => {
    const seen: string[][] = [];
    const fetching = noLessPublic(
      "http://mcp.example/mcp",
      (addressesOf) => async (input) => {
        seen.push(await addressesOf(new URL(input as string).hostname));
        return new Response();
      },
      changing(HERE, HERE, [...PUBLIC, ...HERE]),
    );
    await fetching("http://mcp.example/mcp");
    await expect(fetching("http://mcp.example/mcp")).rejects.toThrow("not a public address");
    expect(seen).toEqual([HERE]);
  });
});

it("reaches a server of the network, with what is sent and by whatever name", async () => {
  const fetching = noLessPublic(`http://mcp.office:${port}/mcp`, undefined, async () => HERE);
  const sent = { method: "POST", body: new URLSearchParams({ a: "1" }) };
  expect(await (await fetching(`http://mcp.office:${port}/mcp`, sent)).text()).toBe("inner");
  expect(await (await fetching(new URL(`http://127.0.0.1:${port}/x`))).text()).toBe("inner");
  expect(asked).toEqual([`POST mcp.office:${port}/mcp`, `GET 127.0.0.1:${port}/x`]);
});

it("reports a redirect as such if none may be followed", async () => {
  next = `http://127.0.0.1:${port}/`;
  const fetching = noLessPublic(`http://127.0.0.1:${port}/mcp`);
  const failed = fetching(`http://127.0.0.1:${port}/away`, { redirect: "error" });
  expect(await words(failed)).toContain("unexpected redirect");
});

/** The addresses of a host that a server on the internet may name. */
async function noAddress(host: string, resolve: (host: string) => Promise<string[]>) {
  let found: string[] = [];
  await noLessPublic(
    "http://mcp.example",
    (addressesOf) => async () => {
      found = await addressesOf(host);
      return new Response();
    },
    async (name) => (name === "mcp.example" ? PUBLIC : resolve(name)),
  )("");
  return found;
}

it("asks for its own server's address again if it could not be looked up at first", async () => {
  let asks = 0;
  const resolve = async () => {
    if (++asks === 1)
      throw Object.assign(new Error("getaddrinfo EAI_AGAIN"), { code: "EAI_AGAIN" });
    return ["127.0.0.1"];
  };
  const ask = noLessPublic(`http://tools.example:${port}`, checkedFetch, resolve);
  expect(await words(ask(`http://tools.example:${port}/`))).toMatch(/EAI_AGAIN|fetch failed/);
  expect(await (await ask(`http://tools.example:${port}/`)).text()).toBe("inner");
});
