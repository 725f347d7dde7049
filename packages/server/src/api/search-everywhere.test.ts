import type { FoundEverywhere } from "@treadle/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function find(text: string): Promise<FoundEverywhere[]> {
  const answer = await server.api("/api/search", { json: { text } });
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  return (await answer.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as FoundEverywhere);
}

it("finds a text in names, messages and files of all projects, each with its location", async () => {
  const one = await server.project("A shop with a basket");
  const two = await server.project("全文検索");
  server.workspace(two).put("src/a.ts", "one\n  const basket = 1;\n");
  const found = await find("basket");
  const message = (await server.events(one)).find(({ type }) => type === "message");
  expect(found.find(({ kind }) => kind === "message")).toMatchObject({
    project: one,
    message: (message as { message: string }).message,
    text: "A shop with a basket",
  });
  expect(found.find(({ kind }) => kind === "line")).toMatchObject({
    project: two,
    path: "src/a.ts",
    line: 2,
    text: "const basket = 1;",
  });
  expect(found.at(-1)).toEqual({ kind: "end", more: false });
  expect(await find("検索")).toContainEqual(
    expect.objectContaining({ kind: "message", project: two }),
  );
});

it("does not find text in a lock file written by a package manager", async () => {
  const id = await server.project("Locks");
  for (const path of ["package-lock.json", "api/yarn.lock", "src/lock.ts"])
    server.workspace(id).put(path, "sha512-zanzibar==\n");
  const lines = (await find("zanzibar")).filter(({ kind }) => kind === "line");
  expect(lines).toMatchObject([{ path: "src/lock.ts" }]);
});

it("skips deleted projects, and suspends projects again that were suspended", async () => {
  const id = await server.project("A vanishing act");
  await server.treadle.projects.release(id);
  const opened = server.driver.opened.get(id);
  await find("vanishing");
  expect(server.driver.opened.get(id)).not.toBe(opened);
  expect(server.driver.opened.get(id)?.stopped).toBe(true);
  await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
  expect(await find("vanishing")).toEqual([{ kind: "end", more: false }]);
});

it("refuses an empty and an overlong query", async () => {
  for (const text of [" ", "x".repeat(300)])
    expect((await server.api("/api/search", { json: { text } })).status).toBe(400);
});
