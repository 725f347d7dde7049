import { McpError, type McpErrorFacts, type McpServerConfig } from "@treadle/agent";
import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

const PROGRAM: McpServerConfig = {
  type: "stdio",
  command: "npx",
  args: ["-y", "a-server"],
  env: {},
};
const ADDRESS: McpServerConfig = { type: "http", url: "http://docs.test:81/mcp", headers: {} };
const ended = (facts: McpErrorFacts) => new McpError("ended", "The program ended.", facts);
const inside = (error: unknown, printed = "") => problemOf(PROGRAM, "sandbox", error, printed);
const at = (error: unknown) => problemOf(ADDRESS, "address", error, "");

describe("why a program is not spoken to", () => {
  it("there is none of that name where it is looked for", () => {
    expect(inside(ended({ exit: 127 }), "bash: line 1: exec: npx: not found\n")).toEqual({
      code: "missing-program",
      message: "There is no program “npx” inside the sandbox.",
      tried: "Started “npx -y a-server” inside the project’s sandbox.",
      next: expect.stringContaining("It is looked for inside the sandbox"),
      said: "bash: line 1: exec: npx: not found",
    });
    expect(problemOf(PROGRAM, "machine", ended({ exit: 127 }), "spawn npx ENOENT")).toMatchObject({
      message: "There is no program “npx” on this machine.",
      tried: "Started “npx -y a-server” on this machine.",
    });
  });

  it("its package was not fetched, from which host, or there is none", () => {
    const printed =
      "npm error code ENOTFOUND\nnpm error network request to https://registry.example.com/a-server failed\n";
    expect(inside(ended({ exit: 1 }), printed)).toMatchObject({
      code: "no-network",
      host: "registry.example.com",
      message: "Its package was not fetched: registry.example.com was not reached (ENOTFOUND).",
    });
    expect(
      inside(ended({ exit: 1 }), "npm error code E404\nnpm error 404 Not Found"),
    ).toMatchObject({
      code: "no-package",
    });
  });

  it("it ended: with its last lines; without a failure it is none that goes on", () => {
    const printed = Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n");
    const { code, said: message } = inside(ended({ exit: 1 }), printed);
    expect([code, message]).toEqual([
      "exited",
      "line 44\nline 45\nline 46\nline 47\nline 48\nline 49",
    ]);
    expect(inside(ended({ exit: 0 })).next).toContain("goes on running");
    expect(inside(ended({ signal: "SIGKILL" })).code).toBe("exited");
  });

  it.each([
    ["timeout", "timeout"],
    ["malformed", "not-mcp"],
    ["flood", "too-much"],
    ["too-large", "too-much"],
    ["failed", "failed"],
  ] as const)("%s is %s", (code, expected) => {
    expect(inside(new McpError(code, "It is so.")).code).toBe(expected);
  });
});

describe("why an address is not called", () => {
  it.each([
    [{ network: "ECONNREFUSED" }, "Nothing answers at docs.test:81 (ECONNREFUSED)."],
    [{ network: "ENOTFOUND" }, "No host named docs.test was found (ENOTFOUND)."],
    [
      { network: "DEPTH_ZERO_SELF_SIGNED_CERT" },
      "The certificate of docs.test:81 was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT).",
    ],
  ])("%j", (facts, message) => {
    expect(at(new McpError("unreachable", "x", facts))).toMatchObject({
      code: "unreachable",
      host: "docs.test:81",
      message,
      tried: "Called http://docs.test:81/mcp (streamable HTTP).",
    });
  });

  it("it answers a status, with the first line that came with it", () => {
    const http = (status: number) =>
      at(new McpError("http", `The server answered HTTP ${status}.`, { status, body: "Not here" }));
    expect(http(404)).toMatchObject({ code: "http", said: "Not here" });
    expect(http(404).next).toContain("“sse”");
    expect(http(503).next).toContain("later");
    expect(at(new McpError("unauthorized", "It wants a key.")).code).toBe("refused");
    expect(at(new McpError("redirect", "It leads on.")).next).toContain("Nothing was sent there");
  });
});
