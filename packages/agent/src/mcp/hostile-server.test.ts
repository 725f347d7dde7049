import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import { DESCRIPTION_LIMIT, LOG_LIMIT, PAGES, TOOLS, TOOLS_LIMIT } from "./limits.ts";
import { connectFixture, type Connected } from "./start-fixture.test-support.ts";
import { foreignTools } from "../tools/foreign-tools.ts";
import type { McpTool, McpToolList } from "./types.ts";

const SERVER = fileURLToPath(new URL("./hostile-server.test-support.mjs", import.meta.url));
const signal = new AbortController().signal;

const open: Connected[] = [];
afterEach(async () => {
  for (const { connection } of open.splice(0)) await connection.close();
});
async function connect(mode = ""): Promise<Connected> {
  const connected = await connectFixture({ MODE: mode }, { server: SERVER });
  open.push(connected);
  return connected;
}
const listOf = async (mode: string): Promise<McpToolList> =>
  (await connect(mode)).connection.tools();
const asRun = (tools: McpToolList["tools"], server = "notes") =>
  foreignTools(
    tools.map((definition): McpTool => ({
      server,
      definition,
      standing: () => ({ allowed: false, digest: "", why: "" }),
      call: async () => ({ ok: true, text: "" }),
    })),
  );

describe("a hostile server's list", () => {
  it("of 10,000 tools is used as far as a request can pay for it, and that is said", async () => {
    const { tools, left } = await listOf("many");
    expect(tools).toHaveLength(TOOLS);
    expect(left).toBe(`It offers more tools than are used: the first ${TOOLS} are.`);
  });

  it("of fat tools is bounded as a whole", async () => {
    const { tools, left } = await listOf("fat");
    expect(JSON.stringify(tools).length).toBeLessThan(TOOLS_LIMIT + 10_000);
    expect(left).toContain(`the first ${tools.length} are`);
  });

  it("without an end is read up to a maximum number of pages", async () => {
    const { tools, left } = await listOf("pages");
    expect(tools).toHaveLength(PAGES);
    expect(left).toContain("more tools");
  });

  it("with a description of 4 MB is cut, with one of 10 MB ends the server", async () => {
    const { tools } = await listOf("long");
    expect(tools.map(({ name }) => name)).toEqual(["long", "short"]);
    expect(tools[0]!.description.length).toBeLessThan(DESCRIPTION_LIMIT + 100);
    expect(tools[0]!.description).toMatch(/^begin x[^]*characters left out[^]*x end$/);
    await expect(listOf("huge")).rejects.toMatchObject({ code: "too-large" });
  });

  it("A42 shows what hides in descriptions and schemas; what is too long is left out, and said", async () => {
    const { tools, left } = await listOf("schemas");
    expect(tools.map(({ name }) => name)).toEqual(["fine", "hidden"]);
    expect(left).toContain("described at too great a length: long");
    expect(JSON.stringify(tools[1]!.inputSchema)).toContain("tag \\\\u{e0041}");
    await expect(listOf("deep")).rejects.toMatchObject({ name: "McpError" });
  });

  it("A36 with one name twice has the first of them: what is allowed of it is not the other", async () => {
    const { tools, left } = await listOf("twice");
    expect(tools.map(({ description }) => description)).toEqual(["Says a text back.", ""]);
    expect(left).toBe("Offered twice, of which the first is used: echo.");
  });

  it("a server with names of our own or of others only represents itself", async () => {
    const { tools, left } = await listOf("names");
    expect(left).toContain("Left out, as they have no usable name");
    const named = asRun(tools);
    const ours = new Set(ALL_TOOLS.map(({ name }) => name));
    for (const { name, description } of named) {
      expect(name).toMatch(/^mcp__notes__[A-Za-z0-9_-]+$/);
      expect(ours.has(name)).toBe(false);
      expect(description).toContain("\\u{e0041}");
    }
    expect(new Set(named.map(({ name }) => name)).size).toBe(tools.length);
    // Another server may name its tool the same way: each keeps its own server.
    const imitated = [...asRun(tools), ...asRun([{ ...tools[0]!, name: "echo" }])];
    const echo = imitated.filter(({ name }) => name === "mcp__notes__echo");
    expect(echo.map(({ subject }) => subject?.({})?.what.slice(0, 2))).toEqual([["notes", "echo"]]);
  });
});

describe("a hostile server's answer", () => {
  it("a request of the server to us is refused politely; the server continues", async () => {
    const { connection } = await connect();
    expect((await connection.call("asks", {}, signal)).text.split("\n")).toEqual([
      "sampling/createMessage: -32601",
      "elicitation/create: -32601",
      "roots/list: -32601",
      "ping: {}",
      "x/y: -32601",
    ]);
  });

  it("comes through thousands of notices and megabytes of errors", async () => {
    const { connection, log } = await connect();
    expect((await connection.call("progress", {}, signal)).text).toBe("Done at last.");
    expect((await connection.call("stderr", {}, signal)).text).toBe("Said much.");
    // Errors come on a separate pipe, at any time.
    await expect.poll(() => log().length).toBeGreaterThan(LOG_LIMIT);
    expect((await connection.call("twice", {}, signal)).text).toBe("First.");
    expect((await connection.call("twice", {}, signal)).text).toBe("First.");
  });

  it.each([
    ["endless", "too-large"],
    ["shower", "too-large"],
    ["flood", "flood"],
  ])("that never ends, or is too much to look at (%s), ends the server", async (name, code) => {
    const { connection, ended } = await connect();
    await expect(connection.call(name, {}, signal)).rejects.toMatchObject({ code });
    expect((await ended).code).toBe(code);
  });

  it("is text: sounds, links and what is unknown are named, what hides is shown", async () => {
    const { connection } = await connect();
    expect((await connection.call("kinds", {}, signal)).text.split("\n")).toEqual([
      "[audio audio/wav, 5 bytes, which is not shown]",
      "[resource file:///etc/passwd A file]",
      "[x://1 , 5 bytes, which is not shown]",
      "[something of the kind hologram, which is not shown]",
      "hidden \\u{e0041}\\u{202e} order",
    ]);
    expect(connection.title.length).toBeLessThanOrEqual(120);
  });
});
