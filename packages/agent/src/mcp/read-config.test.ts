import { expect, it } from "vitest";
import { readMcpConfig } from "./read-config.ts";

const messageOf = (value: unknown) => {
  const read = readMcpConfig(typeof value === "string" ? value : JSON.stringify(value));
  return read.ok ? "" : read.message;
};

it("servers are read as other programs write them, with the outer name or without", () => {
  const servers = {
    files: { command: "npx", args: ["-y", "a-server"], env: { KEY: "k" } },
    docs: {
      type: "http",
      url: "https://docs.example.com/mcp",
      headers: { Authorization: "Bearer t" },
    },
    old: { type: "sse", url: "http://127.0.0.1:9/sse" },
    bare: { url: "https://bare.example.com" },
  };
  const expected = {
    ok: true,
    servers: {
      files: { type: "stdio", command: "npx", args: ["-y", "a-server"], env: { KEY: "k" } },
      docs: {
        type: "http",
        url: "https://docs.example.com/mcp",
        headers: { Authorization: "Bearer t" },
      },
      old: { type: "sse", url: "http://127.0.0.1:9/sse", headers: {} },
      bare: { type: "http", url: "https://bare.example.com", headers: {} },
    },
  };
  expect(readMcpConfig(JSON.stringify({ mcpServers: servers }))).toEqual(expected);
  expect(readMcpConfig(`\uFEFF${JSON.stringify(servers)}`)).toEqual(expected);
});

it("what is wrong is said, and nothing of it is taken", () => {
  expect(messageOf("{")).toMatch(/^That is not JSON/);
  expect(messageOf([])).toMatch(/should be an object/);
  expect(messageOf({ a: {} })).toBe("a has neither a “command” nor a “url”.");
  expect(messageOf({ a: { url: "file:///etc/passwd" } })).toMatch(/http:\/\/ or https:\/\//);
  expect(messageOf({ a: { url: "https://me:pw@x.com" } })).toMatch(/password/);
  expect(messageOf({ a: { url: "https://x.com", headers: { A: "b\r\nc" } } })).toMatch(/no header/);
  expect(messageOf({ a: { command: "x", args: "y" } })).toMatch(/^a\.args: /);
  expect(messageOf({ "../a": { command: "x" } })).toMatch(/cannot be a server's name/);
  expect(messageOf('{"__proto__": {"command": "x"}}')).toMatch(/cannot be a server's name/);
});
