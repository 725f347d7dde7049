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

it("reports errors, and uses nothing of an invalid entry", () => {
  expect(messageOf("{")).toMatch(/^That is not JSON/);
  expect(messageOf([])).toMatch(/should be an object/);
  expect(messageOf({ a: {} })).toBe("a has neither a “command” nor a “url”.");
  expect(messageOf({ a: { url: "file:///etc/passwd" } })).toMatch(/http:\/\/ or https:\/\//);
  expect(messageOf({ a: { url: "https://me:pw@x.com" } })).toMatch(/password/);
  expect(messageOf({ a: { url: "https://x.com", headers: { A: "b\r\nc" } } })).toMatch(
    /cannot be sent as a header/,
  );
  expect(messageOf({ a: { command: "x", args: "y" } })).toMatch(/^a\.args: /);
  expect(messageOf({ "../a": { command: "x" } })).toMatch(/cannot be a server's name/);
  expect(messageOf('{"__proto__": {"command": "x"}}')).toMatch(/cannot be a server's name/);
});

it("a header that cannot be sent is refused when it is set up, not when the server is called", () => {
  const withHeader = (name: string, value: string) =>
    messageOf({ docs: { url: "https://docs.example.com/mcp", headers: { [name]: value } } });
  // As in an example, with dots in place of a key.
  expect(withHeader("Authorization", "Bearer …")).toBe(
    "docs: “Authorization” holds “…”, which no header can carry.",
  );
  expect(withHeader("X-Name", "Zoë")).toBe("");
  expect(withHeader("X-Name", "a\u0001b")).toBe("docs: “X-Name” cannot be sent as a header.");
  // A header may contain tabs, printable ASCII and Latin letters.
  for (const code of Array.from({ length: 0x200 }, (_, at) => at)) {
    const fits = code === 0x09 || (code >= 0x20 && code <= 0xff && code !== 0x7f);
    expect([code, withHeader("X", `a${String.fromCharCode(code)}b`) === ""]).toEqual([code, fits]);
  }
});
