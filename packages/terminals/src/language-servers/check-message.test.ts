import { describe, expect, it } from "vitest";
import { readFromPage, readFromServer } from "./check-message.ts";

const frame = (message: object) => JSON.stringify({ jsonrpc: "2.0", ...message });

describe("the page's messages to a language server", () => {
  it("are forwarded if they are about documents and symbols", () => {
    const ask = { id: 3, method: "textDocument/completion", params: { a: 1 } };
    expect(readFromPage(frame(ask))).toEqual({ id: 3, text: expect.any(String) });
    expect(readFromPage(frame({ method: "textDocument/didOpen", params: {} }))?.id).toBeUndefined();
  });

  it.each([
    { id: 1, method: "workspace/executeCommand" },
    { id: 1, method: "workspace/didChangeWorkspaceFolders" },
    { id: "x", method: "textDocument/hover" },
    { id: 1, result: {} },
    { method: 5 },
  ])("are not forwarded otherwise: %j", (message) =>
    expect(readFromPage(frame(message))).toBeUndefined(),
  );

  it("are not forwarded if invalid", () => {
    for (const text of ["", "[]", "null", '{"method":"initialize"}', "{"])
      expect(readFromPage(text)).toBeUndefined();
  });
});

describe("a language server's messages", () => {
  it("are forwarded if they are answers, with known fields only", () => {
    const { toPage, answers } = readFromServer(frame({ id: 7, result: [1], extra: "x" }));
    expect([answers, JSON.parse(toPage ?? "")]).toEqual([
      7,
      { jsonrpc: "2.0", id: 7, result: [1] },
    ]);
    const failed = readFromServer(
      frame({ id: 7, error: { code: "x", message: "y".repeat(9_000) } }),
    );
    expect(JSON.parse(failed.toPage ?? "").error).toEqual({
      code: -32_603,
      message: "y".repeat(500),
    });
  });

  it("are never requests to the page: those are answered here", () => {
    const asked = readFromServer(
      frame({ id: 1, method: "workspace/configuration", params: { items: [1, 2] } }),
    );
    expect(JSON.parse(asked.toServer ?? "").result).toHaveLength(2);
    const edit = readFromServer(frame({ id: "a", method: "workspace/applyEdit", params: {} }));
    expect(edit.toPage).toBeUndefined();
    expect(JSON.parse(edit.toServer ?? "")).toMatchObject({ id: "a", error: { code: -32_601 } });
    const refresh = readFromServer(frame({ id: 2, method: "workspace/diagnostic/refresh" }));
    expect(JSON.parse(refresh.toPage ?? "").id).toBeUndefined();
  });

  it("include diagnostics, and no other notifications", () => {
    expect(
      readFromServer(frame({ method: "textDocument/publishDiagnostics" })).toPage,
    ).toBeDefined();
    for (const method of [
      "window/showMessage",
      "window/logMessage",
      "telemetry/event",
      "$/progress",
    ])
      expect(readFromServer(frame({ method, params: {} }))).toEqual({});
    expect(readFromServer("no message")).toEqual({});
  });
});

it("a server is initialised with its required options, whatever the page sends", () => {
  const begin = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { rootUri: "file:///x", initializationOptions: { evil: 1 } },
  };
  const read = readFromPage(JSON.stringify(begin), { typescript: { tsdk: "/there" } });
  expect(JSON.parse(read!.text).params).toEqual({
    rootUri: "file:///x",
    initializationOptions: { typescript: { tsdk: "/there" } },
  });
});
