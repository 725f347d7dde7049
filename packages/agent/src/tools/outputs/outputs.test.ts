import { expect, it } from "vitest";
import { parseRead } from "../../dialects/artifact/read-action.ts";
import { answer, call, scriptedModel } from "../../testing/scripted-model.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { ofType, tryRun } from "../../testing/try-run.test-support.ts";
import { gatherOutput } from "./gather-output.ts";
import { outputName } from "./output-name.ts";
import type { OutputPort } from "./types.ts";

const LINES = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1} is here`);
LINES[999] = "the reason why it failed";

const workspace = () =>
  createFakeWorkspace({ command: () => ({ output: `\u001b[31m${LINES.join("\n")}\n`, code: 1 }) });

function memory(): OutputPort & { outputs: Map<string, string> } {
  const outputs = new Map<string, string>();
  return {
    outputs,
    save: async (name, text) => (outputs.set(name, text), true),
    read: async (name) => outputs.get(name),
  };
}

const act = (type: string, content: string) =>
  answer(
    `<boltArtifact id="a" title="T"><boltAction type="${type}">${content}</boltAction></boltArtifact>`,
  );

const SPOKEN = {
  native: {
    run: answer("", call("run_command", { command: "npm run build" })),
    read: answer("", call("read_file", { path: "output:r1.1", offset: 1_000, limit: 1 })),
    way: "read_file, path output:r1.1, offset ",
  },
  tags: {
    run: answer("<run_command><command>npm run build</command></run_command>"),
    read: answer(
      "<read_file><path>output:r1.1</path><offset>1000</offset><limit>1</limit></read_file>",
    ),
    way: "read_file, path output:r1.1, offset ",
  },
  artifact: {
    run: act("shell", "npm run build"),
    read: act("read", "output:r1.1 lines 1000 to 1000"),
    way: '<boltAction type="read">output:r1.1 lines ',
  },
};

it.each(["native", "tags", "artifact"] as const)(
  "a long output says how to read its rest, and the advice works (%s)",
  async (dialect) => {
    const { run, read, way } = SPOKEN[dialect];
    const outputs = memory();
    const model = scriptedModel(run, read, answer("I see."));
    const { events } = await tryRun(model, {
      dialect,
      workspace: workspace(),
      ports: { outputs },
    });
    const [ran, found] = ofType(events, "call-end");
    expect(ran?.result).toContain(way);
    expect(ran?.result).not.toContain("the reason");
    expect(found).toMatchObject({ status: "ok" });
    expect(found?.result.split("\n")[0]).toBe("the reason why it failed");
    expect(model.doStreamCalls).toHaveLength(3);
    // Head, tail and the omitted lines together are the complete output.
    const [, from, to, total] = /lines (\d+) to (\d+) of (\d+)/.exec(ran?.result ?? "") ?? [];
    const [head = "", tail = ""] = (ran?.result.split("--- output ---\n")[1] ?? "").split(
      /\n….*…\n/,
    );
    const lines = [...outputs.outputs.values()].join().split("\n");
    expect(lines).toEqual(LINES);
    expect(Number(total)).toBe(LINES.length);
    expect(LINES.slice(0, Number(from)).join("\n").startsWith(head)).toBe(true);
    expect(
      LINES.slice(Number(to) - 1)
        .join("\n")
        .endsWith(tail),
    ).toBe(true);
  },
);

it("a saved output can be searched for plain text", async () => {
  const search = (input: object) => answer("", call("search_files", input));
  const { events } = await tryRun(
    scriptedModel(
      SPOKEN.native.run,
      search({ pattern: "the reason", glob: "output:r1.1" }),
      search({ pattern: "(a+)+$", regex: true, glob: "output:r1.1" }),
      search({ pattern: "x", glob: "output:../../x" }),
    ),
    { workspace: workspace(), ports: { outputs: memory() } },
  );
  expect(
    ofType(events, "call-end")
      .map(({ status, result }) => [status, result])
      .slice(1),
  ).toEqual([
    ["ok", "1000: the reason why it failed"],
    ["error", expect.stringContaining("plain text only")],
    ["error", expect.stringContaining("No output is kept")],
  ]);
});

it.each(["output:../../etc/passwd", "output:r1.1/../../x", "output:", "output:/etc/passwd"])(
  "A18 %s is not readable",
  async (path) => {
    const asked: string[] = [];
    const { events } = await tryRun(scriptedModel(answer("", call("read_file", { path }))), {
      ports: { outputs: { ...memory(), read: async (name) => (asked.push(name), undefined) } },
    });
    expect(outputName(path)).toBe("");
    expect(asked).toEqual([""]);
    expect(ofType(events, "call-end")).toMatchObject([
      { status: "error", result: expect.stringContaining("No output is kept") },
    ]);
  },
);

it("promises nothing if an output cannot be saved", async () => {
  for (const ports of [{}, { outputs: { ...memory(), save: async () => false } }]) {
    const { events } = await tryRun(scriptedModel(SPOKEN.native.run), {
      workspace: workspace(),
      ports,
    });
    const [ran] = ofType(events, "call-end");
    expect(ran?.result).toContain("characters left out; the whole is in the log");
    expect(ran?.result).not.toContain("output:");
  }
});

it("keeps the beginning and the end of an endless output, in chunks of any size", () => {
  for (const size of [1, 7, 30, 100]) {
    const gathered = gatherOutput(20);
    const text = "0123456789".repeat(10);
    for (let at = 0; at < text.length; at += size) gathered.add(text.slice(at, at + size));
    expect(gathered.text()).toBe("0123456789\n… 80 characters were not kept …\n0123456789");
  }
  const fits = gatherOutput(20);
  fits.add("01234567890123456789");
  expect(fits.text()).toBe("01234567890123456789");
});

it("omitted output is described in one line, with or without line numbers", () => {
  expect(parseRead("src/a b.ts")).toEqual({ path: "src/a b.ts" });
  expect(parseRead("a.ts lines 3 to 5")).toEqual({ path: "a.ts", offset: 3, limit: 3 });
  expect(parseRead("a.ts lines 9 to 5")).toEqual({ path: "a.ts", offset: 9, limit: 1 });
  expect(parseRead("a.ts line 0")).toEqual({ path: "a.ts", offset: 1 });
});
