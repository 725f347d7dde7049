import { describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { helpText } from "./help.ts";
import { readArguments } from "./read-arguments.ts";

const message = (words: string[]) => {
  const command = readArguments(words);
  return command.kind === "wrong" ? command.message : `not refused: ${JSON.stringify(command)}`;
};

describe("the command line", () => {
  it("serves on loopback when nothing is said", () => {
    expect(readArguments([])).toEqual({
      kind: "serve",
      port: undefined,
      host: "127.0.0.1",
      url: undefined,
      previewUrl: undefined,
      proxies: [],
      data: undefined,
      unsafe: false,
      folder: undefined,
      team: false,
      browser: true,
    });
  });

  it("sends whoever mistyped to the help of the command that they meant", () => {
    for (const words of [
      ["run"],
      ["run", "x", "--nonsense"],
      ["run", "x", "--follow"],
      ["run", "x", "--max-steps", "a"],
    ])
      expect(readArguments(words)).toMatchObject({ kind: "wrong", command: "run" });
    expect(readArguments(["nonsense"])).toMatchObject({ kind: "wrong", command: undefined });
  });

  it("keeps what an option takes and what it does apart in the help", () => {
    for (const { name, options } of COMMANDS)
      for (const [option, { help }] of Object.entries(options)) {
        const start = help.split(" ", 2).join(" ");
        const line = helpText(name)
          .split("\n")
          .find((one) => one.includes(`--${option}`) && one.includes(start));
        if (line) expect(line).toContain(`  ${start}`);
      }
  });

  it("says which version it is, however that is asked", () => {
    for (const word of ["--version", "-v", "version"])
      expect(readArguments([word])).toEqual({ kind: "version" });
  });

  it("serves a folder in place, with or without a browser being opened", () => {
    expect(readArguments(["serve", "--open", "d", "--no-open"])).toMatchObject({
      kind: "serve",
      folder: "d",
      browser: false,
    });
  });

  it("keeps and restores one file, and says which words it wants", () => {
    expect(readArguments(["backup", "a.tgz", "--data", "d"])).toEqual({
      kind: "backup",
      file: "a.tgz",
      data: "d",
    });
    expect(readArguments(["restore", "a.tgz"])).toMatchObject({ kind: "restore", file: "a.tgz" });
    for (const words of [["backup"], ["restore", "a", "b"]])
      expect(message(words)).toMatch(/takes one file: treadle (backup|restore) treadle\.tar\.gz/);
  });

  it("reads which models are compared, and refuses what is no comparison", () => {
    expect(
      readArguments(["run", "x", "--models", "a:1, b:2,a:1", "--attempts", "2"]),
    ).toMatchObject({
      compare: { models: ["a:1", "b:2"], attempts: 2 },
    });
    expect(readArguments(["run", "x"])).toMatchObject({ compare: undefined });
    expect(message(["run", "x", "--attempts", "2"])).toMatch(/--models A,B --attempts 2/);
    expect(message(["run", "x", "--models", "a:1"])).toMatch(/2 to 8 attempts.*these are 1/);
    expect(message(["run", "x", "--models", "a,b,c", "--attempts", "3"])).toMatch(/these are 9/);
    expect(message(["run", "x", "--models", "a", "--attempts", "5"])).toMatch(/4 of each model/);
    expect(message(["run", "x", "--models", "a,b", "--model", "c"])).toMatch(/exclude each other/);
    expect(message(["run", "x", "--models", "a,b", "--plan"])).toMatch(/not plans/);
  });

  it("reads a run with its limits, seconds becoming milliseconds", () => {
    const words = ["run", "Build a todo app", "--dir", "./todo", "--max-steps", "12"];
    expect(
      readArguments([...words, "--max-cost", "0.5", "--timeout", "90", "--json"]),
    ).toMatchObject({
      kind: "run",
      prompt: "Build a todo app",
      dir: "./todo",
      maxSteps: 12,
      maxCost: 0.5,
      timeoutMs: 90_000,
      acceptRules: false,
      plan: false,
      json: true,
    });
  });

  it("takes hosts to allow, as many as are given", () => {
    expect(readArguments(["run", "x"])).toMatchObject({ allowHosts: [] });
    const words = ["run", "x", "--allow-host", "a.example.com", "--allow-host", "*.b.example.com"];
    expect(readArguments(words)).toMatchObject({
      allowHosts: ["a.example.com", "*.b.example.com"],
    });
  });

  it("takes no empty folder for the current one", () => {
    for (const words of [["run", "x"], ["parse"]])
      expect(message([...words, "--dir", ""])).toBe(
        "--dir takes a folder; “.” is the current one.",
      );
  });

  it("refuses an empty prompt with a sentence that says what to type", () => {
    expect(message(["run", "  "])).toContain("Say what to build");
  });

  it("names the option or command it does not know", () => {
    expect(message(["frob"])).toContain("frob");
    expect(message(["serve", "--json"])).toContain("--json");
    expect(message(["serve", "--frob"])).toContain("--frob");
  });

  it.each([
    ["--port", "70000"],
    ["--port", "80.5"],
    ["--port", ""],
    ["--port", "abc"],
  ])("refuses %s %j", (option, value) => {
    expect(message(["serve", `${option}=${value}`])).toContain(option);
  });

  it("says in one sentence how a value that begins with a dash is written", () => {
    expect(message(["run", "x", "--timeout", "-1"])).toBe(
      "--timeout takes a value; one that begins with a dash is written --timeout=….",
    );
    expect(message(["run", "x", "--timeout=-1"])).toBe(
      "--timeout takes a number above 0, not “-1”.",
    );
  });

  it("refuses a dialect that cannot be run", () => {
    expect(message(["run", "x", "--dialect", "morse"])).toContain("morse");
  });

  it("migrate-store takes one direction, with the address of a database", () => {
    const url = "postgres://localhost/treadle";
    expect(readArguments(["migrate-store", "--to", url])).toMatchObject({
      kind: "migrate-store",
      to: url,
    });
    for (const words of [[], ["--to", url, "--from", url], ["--to", url, "more"]])
      expect(readArguments(["migrate-store", ...words])).toMatchObject({ kind: "wrong" });
  });

  it("doctor takes its attacks, and no other command does", () => {
    expect(readArguments(["doctor", "--attacks"])).toMatchObject({ kind: "doctor", attacks: true });
    expect(readArguments(["doctor", "--repair"])).toMatchObject({ kind: "doctor", repair: true });
    expect(readArguments(["doctor", "--take-databases"])).toMatchObject({
      kind: "doctor",
      takeDatabases: true,
    });
    expect(message(["serve", "--attacks"])).toContain("--attacks");
  });
});

describe("bench", () => {
  it.each([
    [["webgen", "--tasks", "t", "--out", "o"], { of: "webgen", parallel: 1, timeoutMs: 1_800_000 }],
    [
      ["fullstack", "--tasks", "t", "--out", "o", "--only", "000001, 2,", "--results", "r"],
      { of: "fullstack", only: ["000001", "2"], results: "r", logs: undefined },
    ],
    [["score", "built", "--logs", "l", "--json"], { of: "score", folder: "built", json: true }],
    [["hand-over", "app", "--out", "o", "--logs", "l"], { of: "hand-over", folder: "app" }],
  ])("reads %j", (words, command) => {
    expect(readArguments(["bench", ...words])).toMatchObject({ kind: "bench", ...command });
  });

  it.each([
    [[]],
    [["other"]],
    [["webgen", "more", "--tasks", "t", "--out", "o"]],
    [["fullstack", "--tasks", "t"]],
    [["score"]],
    [["score", "a", "b"]],
    [["hand-over", "app", "--out", "o"]],
  ])("refuses %j", (words) => {
    expect(readArguments(["bench", ...words])).toMatchObject({ kind: "wrong", command: "bench" });
  });
});

it("reads an option of one name in one way, whichever command it is of", () => {
  const ways = new Map<string, string>();
  for (const { options } of COMMANDS)
    for (const [name, { kind }] of Object.entries(options)) {
      const way = kind === "flag" || kind === "texts" ? kind : "one value";
      expect([name, ways.get(name) ?? way]).toEqual([name, way]);
      ways.set(name, way);
    }
});

it("takes further requests beside the prompt, and refuses what makes no sense for several", () => {
  const read = readArguments(["run", "one", "--also", "two", "--also", "three"]);
  expect(read).toMatchObject({ kind: "run", prompt: "one", parallel: ["two", "three"] });
  expect(readArguments(["run", "one", "--also", "two", "--plan"]).kind).toBe("wrong");
});
