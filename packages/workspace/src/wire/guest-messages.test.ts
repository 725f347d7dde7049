import { describe, expect, it } from "vitest";
import { ANSWERED, SAID } from "../attacks/hostile-guest.ts";
import { readGuestMessage } from "./guest-messages.ts";
import { resultOf } from "./guest-results.ts";

describe("what a guest says", () => {
  it.each(SAID.map((message) => [message.kind, message] as const))(
    "%s comes through as it is",
    (_, message) => expect(readGuestMessage(message)).toEqual(message),
  );

  it.each(Object.entries(ANSWERED))("an answer to %s comes through as it is", (method, result) => {
    expect(resultOf(method)(result) ?? null).toEqual(result);
  });

  it.each([
    null,
    [],
    {},
    { kind: "constructor" },
    { kind: "__proto__" },
    { kind: "output" },
    { kind: "output", process: 7 },
    { kind: "ports", ports: { length: 2 } },
    { kind: "ports", ports: [{ port: 70_000 }] },
    { kind: "install", ask: 1, asked: { manager: "npm", args: "all", folder: "" } },
    { kind: "reply", id: 1, ok: false, code: "no such code", message: "" },
    { kind: "reply", id: "1", ok: true, result: null },
  ])("is nothing else: %j", (message) => {
    expect(() => readGuestMessage(message)).toThrow("guest");
  });

  it("A48 a name from inside is a path of the project, wherever it stands", () => {
    for (const path of [
      "../../../../x",
      "/etc/cron.d/x",
      "a/../../x",
      "a//x",
      "./x",
      "a\0",
      "",
      7,
    ]) {
      const change = { path, kind: "written", size: 1 };
      expect(() => readGuestMessage({ kind: "files", changes: [change] })).toThrow("no path");
      const file = { path, kind: "file", size: 1 };
      expect(() => resultOf("list")({ files: [file], more: false })).toThrow("no path");
      const match = { path, line: 1, text: "" };
      expect(() => resultOf("search")({ matches: [match], more: false })).toThrow("no path");
      const entry = { path, mode: "100644", hash: "0".repeat(40) };
      expect(() => resultOf("manifest")([entry])).toThrow("no path");
      expect(() => resultOf("list-raw")([path])).toThrow("no path");
    }
  });

  it("fields that nobody knows are left behind", () => {
    expect(readGuestMessage({ kind: "output", process: "a", constructor: 1, more: {} })).toEqual({
      kind: "output",
      process: "a",
    });
  });
});
