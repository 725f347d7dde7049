import { describe, expect, it } from "vitest";
import { ANSWERED, SAID } from "../attacks/hostile-guest.ts";
import { readGuestMessage, sentenceOf, type GuestFailure } from "./messages.ts";
import { isMethod, readParams, readResult } from "./requests.ts";

describe("sentenceOf", () => {
  const failed = (coded: object): GuestFailure => ({
    kind: "reply",
    id: 1,
    ok: false,
    code: "missing",
    message: '"a" does not exist',
    coded: coded as GuestFailure["coded"],
  });

  it("keeps the code and the values of a failure inside", () => {
    const coded = { code: "path-missing", values: { path: '"a"' } };
    expect(sentenceOf(readGuestMessage(failed(coded)) as GuestFailure)).toMatchObject({ coded });
  });

  it.each([
    { code: "path-missing" },
    { code: "path-missing", values: { path: "another" } },
    { code: "projects-full", values: {} },
    { code: "no-such-code", values: { path: '"a"' } },
    { code: "constructor", values: {} },
  ])("reads a failure whose code is not its message as text: %j", (coded) => {
    expect(sentenceOf(failed(coded))).toEqual({ text: '"a" does not exist' });
  });

  it("refuses values that are neither text nor numbers", () => {
    const coded = { code: "path-missing", values: { path: { code: "x" } } };
    expect(() => readGuestMessage(failed(coded))).toThrow("text or number");
  });
});

describe("readGuestMessage", () => {
  it.each(SAID.map((message) => [message.kind, message] as const))(
    "accepts %s unchanged",
    (_, message) => expect(readGuestMessage(message)).toEqual(message),
  );

  it.each(Object.entries(ANSWERED))("accepts a response to %s unchanged", (method, result) => {
    expect(isMethod(method) && (readResult(method, result) ?? null)).toEqual(result);
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
    { kind: "install", ask: 1, asked: { manager: "cargo", args: [], folder: "" } },
    { kind: "refused", host: "a.com", reason: "no-such-reason" },
    { kind: "reply", id: 1, ok: false, code: "no such code", message: "" },
    { kind: "reply", id: "1", ok: true, result: null },
  ])("refuses %j", (message) => {
    expect(() => readGuestMessage(message)).toThrow("guest");
  });

  it("A48 accepts only project paths as names from inside, in every field", () => {
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
      expect(() => readResult("list", { files: [file], more: false })).toThrow("no path");
      const match = { path, line: 1, text: "" };
      expect(() => readResult("search", { matches: [match], more: false })).toThrow("no path");
      const entry = { path, mode: "100644", hash: "0".repeat(40) };
      const message = { state: "a", whole: true, changed: [entry], gone: [] };
      expect(() => readResult("manifest", message)).toThrow("no path");
      const away = { state: "a", whole: false, changed: [], gone: [path] };
      expect(() => readResult("manifest", away)).toThrow("no path");
      expect(() => readResult("list-raw", [path])).toThrow("no path");
    }
  });

  it("drops unknown fields", () => {
    expect(readGuestMessage({ kind: "output", process: "a", constructor: 1, more: {} })).toEqual({
      kind: "output",
      process: "a",
    });
  });
});

describe("readParams", () => {
  it("accepts a project path in its only valid spelling", () => {
    expect(readParams("read", { path: "./src//a.ts" })).toEqual({ path: "src/a.ts" });
    for (const path of ["../x", "/etc/passwd", "a\0"])
      expect(() => readParams("read", { path })).toThrow(expect.objectContaining({ code: "path" }));
  });

  it.each([
    ["write", {}],
    ["read", { path: 7 }],
    ["read", { path: "a", limit: "much" }],
    ["start", { process: "../a", command: "true" }],
    ["start", { process: "a", command: "true", env: { A: 1 } }],
    ["dial", { port: 70_000, token: "0".repeat(32) }],
    ["install-answer", { ask: 1, answer: { act: "own" } }],
  ] as const)("accepts only the parameters of the request: %s %j", (method, params) => {
    expect(() => readParams(method, params)).toThrow("a frame");
  });

  it("accepts only known requests", () => {
    for (const name of ["constructor", "__proto__", "", 7, undefined])
      expect(isMethod(name)).toBe(false);
  });
});
