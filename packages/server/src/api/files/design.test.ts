import type { ProjectDesign } from "@treadle/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function projectWith(files: Record<string, string>): Promise<void> {
  id = await server.project();
  for (const [path, text] of Object.entries(files)) server.workspace(id).put(path, text);
}
const read = async () =>
  (await (await server.api(`/api/projects/${id}/design`)).json()) as ProjectDesign;
const write = (...edits: object[]) =>
  server.api(`/api/projects/${id}/design`, { method: "PATCH", json: { edits } });
const textOf = async (path: string) =>
  ((await (await server.api(`/api/projects/${id}/files/${path}`)).json()) as { text?: string })
    .text;

const SHEET = ":root { --paper: #fff; --ink: #111 }\n.dark { --paper: #000; --ink: #eee }\n";

it("writes values as the person's own edit, with one checkpoint that names them", async () => {
  await projectWith({ "src/index.css": SHEET });
  expect((await read()).tokens.map(({ name }) => name)).toEqual(["--paper", "--ink"]);
  const response = await write(
    { name: "--paper", mode: "base", value: "ivory" },
    { name: "--paper", mode: ".dark", value: "#123" },
  );
  expect(response.status).toBe(200);
  const { before, written } = (await response.json()) as {
    before: string;
    written: { version: string }[];
  };
  expect(await textOf("src/index.css")).toBe(
    SHEET.replace("#fff", "ivory").replace("#000", "#123"),
  );
  const checkpoint = (await server.events(id)).filter(({ type }) => type === "checkpoint").at(-1);
  expect(checkpoint).toMatchObject({
    labelCode: { code: "design-changed", values: { parts: ["--paper"], more: 0 } },
  });
  const undone = await server.api(`/api/projects/${id}/changes/undo`, {
    json: { path: "src/index.css", from: before, version: written[0]?.version },
  });
  expect(undone.status).toBe(200);
  expect(await textOf("src/index.css")).toBe(SHEET);
});

it("creates a token file if there is none, and imports it in the style sheet", async () => {
  await projectWith({ "src/index.css": "body { margin: 0 }\n" });
  expect(await read()).toMatchObject({ tokens: [], stylesheet: "src/index.css" });
  expect((await write({ name: "--accent", mode: "base", value: "teal" })).status).toBe(200);
  expect(await textOf("src/index.css")).toBe('@import "./tokens.css";\nbody { margin: 0 }\n');
  expect((await read()).files.map(({ path }) => path)).toEqual(["src/tokens.css"]);
});

it("refuses the whole change if one value cannot be written, with a code for the reason", async () => {
  await projectWith({ "a.css": SHEET });
  const refused = await write(
    { name: "--ink", mode: "base", value: "red" },
    { name: "--paper", mode: "base", value: "red; } body { color: blue" },
  );
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { code: "bad-token-value", messageCode: { values: { name: "--paper" } } },
  });
  expect(await textOf("a.css")).toBe(SHEET);
  await projectWith({ "index.html": "<p>Hello</p>" });
  const none = await write({ name: "--a", mode: "base", value: "red" });
  expect(await none.json()).toMatchObject({ error: { code: "no-stylesheet" } });
});

it("proposes the tokens of another project or of a file, and writes nothing", async () => {
  await projectWith({ "a.css": SHEET });
  const other = id;
  await projectWith({ "src/b.css": "body { margin: 0 }" });
  const propose = (json: object) => server.api(`/api/projects/${id}/design/proposals`, { json });
  expect(await (await propose({ project: other })).json()).toEqual({
    tokens: [
      { name: "--paper", group: "colour", values: { base: "#fff", dark: "#000" } },
      { name: "--ink", group: "colour", values: { base: "#111", dark: "#eee" } },
    ],
    problems: [],
  });
  const tokens = JSON.stringify({
    a: { $type: "color", $value: "#abc" },
    b: { $type: "number", $value: 1 },
  });
  expect(await (await propose({ tokens })).json()).toMatchObject({
    tokens: [{ name: "--a", values: { base: "#abc" } }],
    problems: [{ coded: { code: "tokens-of-type", values: { type: "number", count: 1 } } }],
  });
  expect((await propose({ project: "nobody" })).status).toBe(404);
  for (const address of ["file:///etc/passwd", "https://a:b@example.com/", "tides"])
    expect(await (await propose({ address })).json()).toMatchObject({
      error: { code: "look-address" },
    });
  // This server has no browser.
  expect((await propose({ address: "https://example.com/" })).status).toBe(409);
  expect((await read()).tokens).toEqual([]);
});
