import { asSentence } from "@treadle/protocol/sentences";
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
const ended = (facts: McpErrorFacts) =>
  new McpError("ended", asSentence("The program ended."), facts);
/** The fields of a problem with these codes and values. */
const coded = (fields: Record<string, [code: string, values?: object]>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, [code, values]]) => [
      name,
      expect.objectContaining({ coded: values ? { code, values } : { code } }),
    ]),
  );
const inside = (error: unknown, printed = "") => problemOf(PROGRAM, "sandbox", error, printed);
const at = (error: unknown) => problemOf(ADDRESS, "address", error, "");

describe("problems of a program", () => {
  it("the command does not exist", () => {
    expect(inside(ended({ exit: 127 }), "bash: line 1: exec: npx: not found\n")).toEqual({
      code: "missing-program",
      ...coded({
        message: ["mcp-program-missing", { command: "npx", where: "sandbox" }],
        tried: ["mcp-started", { command: "npx -y a-server", where: "sandbox" }],
        next: ["mcp-do-inside"],
      }),
      said: "bash: line 1: exec: npx: not found",
    });
    expect(problemOf(PROGRAM, "machine", ended({ exit: 127 }), "spawn npx ENOENT")).toMatchObject({
      ...coded({
        message: ["mcp-program-missing", { command: "npx", where: "machine" }],
        tried: ["mcp-started", { command: "npx -y a-server", where: "machine" }],
      }),
    });
  });

  it("its package could not be downloaded, from which host, or does not exist", () => {
    const printed =
      "npm error code ENOTFOUND\nnpm error network request to https://registry.example.com/a-server failed\n";
    expect(inside(ended({ exit: 1 }), printed)).toMatchObject({
      code: "no-network",
      host: "registry.example.com",
      ...coded({
        message: ["mcp-package-not-fetched", { host: "registry.example.com", why: "ENOTFOUND" }],
      }),
    });
    expect(
      inside(ended({ exit: 1 }), "npm error code E404\nnpm error 404 Not Found"),
    ).toMatchObject({
      code: "no-package",
    });
  });

  it("it exited: with its last lines; without an error, it is not a server", () => {
    const printed = Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n");
    const { code, said: message } = inside(ended({ exit: 1 }), printed);
    expect([code, message]).toEqual([
      "exited",
      "line 44\nline 45\nline 46\nline 47\nline 48\nline 49",
    ]);
    expect(inside(ended({ exit: 0 })).next.coded).toEqual({ code: "mcp-do-stdio" });
    expect(inside(ended({ signal: "SIGKILL" })).code).toBe("exited");
  });

  it.each([
    ["timeout", "timeout"],
    ["malformed", "not-mcp"],
    ["flood", "too-much"],
    ["too-large", "too-much"],
    ["failed", "failed"],
  ] as const)("%s is %s", (code, expected) => {
    expect(inside(new McpError(code, asSentence("It is so."))).code).toBe(expected);
  });
});

describe("problems of an address", () => {
  it.each([
    [{ network: "ECONNREFUSED" }, "mcp-host-silent-because"],
    [{ network: "ENOTFOUND" }, "mcp-host-unknown"],
    [{ network: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "mcp-certificate-refused"],
  ])("%j", (facts, code) => {
    expect(at(new McpError("unreachable", asSentence("x"), facts))).toMatchObject({
      code: "unreachable",
      host: "docs.test:81",
      message: { coded: { code, values: { why: facts.network } } },
      ...coded({ tried: ["mcp-called", { address: "http://docs.test:81/mcp", kind: "http" }] }),
    });
  });

  it("the response has an error status, with its first line", () => {
    const http = (status: number) =>
      at(
        new McpError("http", asSentence(`The server answered HTTP ${status}.`), {
          status,
          body: "Not here",
        }),
      );
    expect(http(404)).toMatchObject({ code: "http", said: "Not here" });
    expect(http(404).next.coded).toMatchObject({ code: "mcp-do-path", values: { kind: "http" } });
    expect(http(503).next.coded).toMatchObject({ code: "mcp-do-later" });
    expect(at(new McpError("unauthorized", asSentence("It wants a key."))).code).toBe("refused");
    expect(at(new McpError("redirect", asSentence("It leads on."))).next.coded).toMatchObject({
      code: "mcp-do-follow",
    });
  });
});
