import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { askAdvisories } from "./ask-advisories.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function registry(answer: RequestListener): Promise<Record<string, string>> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  closers.push(() => server.close());
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  return {
    HOME: "/nonexistent",
    npm_config_registry: `http://127.0.0.1:${port}/npm/`,
    "npm_config_@mine:registry": `http://127.0.0.1:${port}/mine/`,
  };
}

const never = new AbortController().signal;
const PACKAGES = { old: ["1.0.0", "1.1.0"], "@mine/secret": ["1.0.0"] };

it("queries a registry for packages, except those of a scope with another registry", async () => {
  const asked: string[] = [];
  const env = await registry((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.setEncoding("utf8").on("data", (piece: string) => asked.push(piece));
    request.on("end", () => response.end('{"old":[{"title":"It is old"}]}'));
  });
  expect(await askAdvisories(env, PACKAGES, never)).toEqual({ old: [{ title: "It is old" }] });
  expect(asked).toEqual([
    "POST /npm/-/npm/v1/security/advisories/bulk",
    '{"old":["1.0.0","1.1.0"]}',
  ]);
});

it("knows nothing if it refuses, disconnects, sends something else or is unreachable", async () => {
  const answers: RequestListener[] = [
    (_, response) => void response.writeHead(405).end(),
    (_, response) => void response.destroy(),
    (_, response) => void response.end("<html>"),
  ];
  for (const answer of answers)
    expect(await askAdvisories(await registry(answer), PACKAGES, never)).toBeUndefined();
  const env = { HOME: "/nonexistent", npm_config_registry: "http://127.0.0.1:1/" };
  expect(await askAdvisories(env, PACKAGES, never)).toBeUndefined();
});
