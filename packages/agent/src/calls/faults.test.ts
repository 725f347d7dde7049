import { describe, expect, it } from "vitest";
import type { ToolCall } from "./tool-call.ts";
import { noteFault, type Faults } from "./faults.ts";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

const page = call("write_file", { path: "index.html", content: "<h1>Hi</h1>" });
const command = (text: string) => call("run_command", { command: text });

/** A shell in which commands with `fail` in them fail. */
const failing = () =>
  htmlWorkspace({ command: (text) => (text.includes("fail") ? { code: 1 } : undefined) });

const artifact = (inside: string) => `<boltArtifact id="a" title="A">\n${inside}</boltArtifact>`;
const file = (path: string, content = "x\n") =>
  `<boltAction type="file" filePath="${path}">\n${content}</boltAction>\n`;

describe("what a turn did badly", () => {
  it("is named beside Runs: a command that failed and was not made good", async () => {
    const { result, events } = await tryRun(
      scriptedModel(answer("", page, command("npm run fail")), answer("Done.")),
      { workspace: failing() },
    );
    expect(result).toMatchObject({
      verdict: "runs",
      summary: expect.stringMatching(/^Runs: .*; in this turn npm run fail failed with 1\.$/),
    });
    expect(ofType(events, "evidence").at(-1)?.evidence.turn).toEqual([
      {
        said: "npm run fail failed with 1",
        saidCode: { code: "failed-with", values: { command: "npm run fail", code: "1" } },
        takesAway: false,
      },
    ]);
  });

  it("is forgotten once it was corrected", async () => {
    const { result } = await tryRun(
      scriptedModel(
        answer("", page, command("npm install fail")),
        answer("", command("npm install")),
        answer("Done."),
      ),
      { workspace: failing() },
    );
    expect(result.summary).toMatch(/^Runs: [^;]*; [^;]* not tried\.$/);
  });

  it.each([
    "grep fail src",
    "cd src && ls fail",
    "npm run build; ls fail",
    "npm run list | grep fail",
    "npm run build\n  ls -la 'fail; rm'",
    'cat fail || grep "a && b" fail',
    `treadle-db query "SELECT fail FROM tasks"`,
    `treadle-db query "SELECT title FROM tasks" && grep -c fail src/server.ts`,
  ])("is nothing where a command only looked for something: %s", async (text) => {
    const { result } = await tryRun(
      scriptedModel(answer("", page, command(text)), answer("Done.")),
      { workspace: failing() },
    );
    expect(result.summary).toMatch(/^Runs: [^;]*; [^;]* not tried\.$/);
  });

  it.each([
    "npm run fail && ls dist",
    "ls dist; npm run fail",
    "cat a | npm run fail",
    "echo '; ls' && fail",
  ])("is named where something else may have failed: %s", async (text) => {
    const { events } = await tryRun(
      scriptedModel(answer("", page, command(text)), answer("Done.")),
      { workspace: failing() },
    );
    expect(ofType(events, "evidence").at(-1)?.evidence.turn).toHaveLength(1);
  });

  it("takes Verified away where a file was cut and never written again", async () => {
    const cut = artifact(file("index.html", "<h1>Hi</h1>\n")).replace(
      "</boltArtifact>",
      '<boltAction type="file" filePath="app.js">\ndocument.body.inner',
    );
    const { result } = await tryRun(scriptedModel(answer(cut), answer("That is it.")), {
      dialect: "artifact",
    });
    expect(result).toMatchObject({
      outcome: "done",
      verdict: "unverified",
      summary: "Not verified: app.js was cut off while it was written, and never written again.",
    });
    const again = await tryRun(scriptedModel(answer(cut), answer(artifact(file("app.js")))), {
      dialect: "artifact",
    });
    expect(again.result.summary).toMatch(/^Runs: [^;]*; [^;]* not tried\.$/);
  });

  it("names an action that could not be carried out, and the model is told why", async () => {
    const text = artifact(`${file("index.html", "<h1>Hi</h1>\n")}${file("/etc/x")}`);
    const { result, events } = await tryRun(scriptedModel(answer(text), answer("Done.")), {
      dialect: "artifact",
    });
    expect(result.verdict).toBe("runs");
    expect(result.summary).toContain('The path "/etc/x" is refused');
    expect(ofType(events, "call-end")[1]).toMatchObject({
      status: "error",
      result: 'Nothing was done: The path "/etc/x" is refused: it is absolute.',
    });
  });
});

it("a forbidden change is reported, and forgotten once it is made", () => {
  const faults: Faults = new Map();
  const edit = { tool: "edit_file", input: { path: "src/App.tsx" } } as unknown as ToolCall;
  noteFault(faults, edit, { status: "denied", title: "", result: "" });
  expect([...faults.values()]).toEqual([
    { said: "the change of src/App.tsx was not allowed", takesAway: false },
  ]);
  noteFault(faults, edit, { status: "ok", title: "", result: "" });
  expect(faults.size).toBe(0);
});
