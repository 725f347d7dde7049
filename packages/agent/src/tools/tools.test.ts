import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it, describe } from "vitest";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { listTemplates } from "@treadle/workspace";
import { createFakeWorkspace, type FakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { TEMPLATE_NAMES } from "../ports/templates.ts";
import { TOOLS } from "@treadle/protocol/tools";
import { ALL_TOOLS, findTool } from "./all-tools.ts";
import { findPlaceholder } from "./write-file.ts";
import type { ToolContext } from "./tool.ts";

it("are those of the vocabulary, in the same order", () => {
  expect(ALL_TOOLS.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
});

function contextOf(workspace: FakeWorkspace, more: Partial<ToolContext> = {}): ToolContext {
  return {
    workspace,
    signal: new AbortController().signal,
    personWrites: new Map(),
    seen: new Map(),
    todo: { read: () => [], isChanged: () => false, leave: () => {} },
    onOutput: () => {},
    wrote: () => {},
    evidence: async () => untriedEvidence("r"),
    now: () => 0,
    sleep: async () => {},
    ...more,
  };
}

async function use(
  name: string,
  input: unknown,
  workspace = createFakeWorkspace(),
  more: Partial<ToolContext> = {},
) {
  const tool = findTool(name);
  if (!tool) throw new Error(`no ${name}`);
  return tool.execute(tool.input.parse(input), contextOf(workspace, more));
}

describe("a file that programs outside the sandbox obey", () => {
  it("is accepted if the call shows all of it, or if it was accepted before, but not with someone else's text (A24)", async () => {
    const evil = '{"scripts":{"postinstall":"evil"}}';
    const files = {
      "AGENTS.md": "evil",
      ".cursorrules": "kind",
      "notes.md": "any",
      "package.json": evil,
      "a/package.json": "{}",
    };
    const workspace = createFakeWorkspace({ files });
    const accepted = new Set([
      `.cursorrules ${(await workspace.files.read(toProjectPath(".cursorrules"))).version}`,
    ]);
    const wrote: string[] = [];
    const more: Partial<ToolContext> = {
      isAccepted: (path, version) => accepted.has(`${path} ${version}`),
      wrote: (path, version, unseen) =>
        void (version !== "" && wrote.push(`${path} ${unseen ? "unseen" : "seen"}`)),
    };
    const edit = (path: string, old: string) =>
      use("edit_file", { path, edits: [{ old, new: `${old} ` }] }, workspace, more);
    await edit("AGENTS.md", "evil");
    await edit("package.json", "}}");
    await edit("a/package.json", "{");
    await use("write_file", { path: "AGENTS.md", content: "whole" }, workspace, more);
    await use("rename_file", { from: ".cursorrules", to: ".windsurfrules" }, workspace, more);
    await use("rename_file", { from: "notes.md", to: ".clinerules" }, workspace, more);
    await use("rename_file", { from: "AGENTS.md", to: "b/AGENTS.md" }, workspace, more);
    expect(wrote).toEqual([
      "AGENTS.md unseen",
      "package.json unseen",
      "a/package.json seen",
      "AGENTS.md seen",
      ".windsurfrules seen",
      ".clinerules unseen",
      "b/AGENTS.md unseen",
    ]);
  });
});

describe("a file of checks", () => {
  const path = ".treadle/checks.md";

  it("is written, and an unknown step is reported at once with every valid form", async () => {
    const workspace = createFakeWorkspace();
    const content = "## A\n- open /\n- expect the list to be sorted\n";
    const { ok, result } = await use("write_file", { path, content }, workspace);
    expect(ok).toBe(true);
    expect(result).toContain("line 3: “expect the list to be sorted” is no step");
    expect(result).toContain('\nclick button "Add"\n');
    const edits = [{ old: "the list to be sorted", new: '"Milk"' }];
    expect((await use("edit_file", { path, edits }, workspace)).result).not.toContain("no step");
    const again = [{ old: '"Milk"', new: '"Milk' }];
    expect((await use("edit_file", { path, edits: again }, workspace)).result).toContain("line 3:");
  });
});

describe("write_file", () => {
  it.each([
    ["a byte-order mark and CRLF", "\ufeffa\r\nb\r\n", "a\nc\n", "\ufeffa\r\nc\r\n"],
    ["line feeds, whatever the model wrote", "a\nb\n", "\ufeffa\r\nc\r\n", "a\nc\n"],
    ["each line's own end", "a\r\nb\nc\r\n", "a\nb\nd\n", "a\r\nb\nd\r\n"],
  ])("keeps %s of the file that it replaces", async (_, before, content, after) => {
    const workspace = createFakeWorkspace({ files: { "a.txt": before } });
    await use("write_file", { path: "a.txt", content }, workspace);
    expect(workspace.text("a.txt")).toBe(after);
  });

  it("refuses to turn a UTF-16 file into UTF-8", async () => {
    const workspace = createFakeWorkspace();
    const bytes = Buffer.from("\ufeffa", "utf16le");
    await workspace.files.write(toProjectPath("a.txt"), bytes);
    const { ok } = await use("write_file", { path: "a.txt", content: "b" }, workspace);
    const { bytes: now } = await workspace.files.read(toProjectPath("a.txt"));
    expect([ok, Buffer.from(now)]).toEqual([false, bytes]);
  });

  it.each([
    "// ... rest of the code",
    "/* … existing styles … */",
    "  {/* ... rest of the component */}",
    "# ... rest of the file unchanged",
    "<!-- rest of the content remains the same -->",
    "// ... existing code ...",
    "// ... (previous code)",
    "// rest of the file stays the same",
  ])("refuses a placeholder: %s", async (line) => {
    const workspace = createFakeWorkspace();
    const { ok, result } = await use(
      "write_file",
      { path: "a.ts", content: `let a;\n${line}\n` },
      workspace,
    );
    expect(ok).toBe(false);
    expect(result).toContain("line 2");
    expect(workspace.paths()).toEqual([]);
  });

  it.each([
    "const [first, ...rest] = code;",
    "// the rest of the code base uses tabs",
    "// loading ...",
    "console.log('... and the rest of the files');",
    "// Keep other items when one is removed...",
    "# Todo: sort the remaining tasks",
  ])("does not take code or prose for a placeholder: %s", (line) => {
    expect(findPlaceholder(`a\n${line}\nb`)).toBeUndefined();
  });

  it.each([
    "@@ -1,2 +1,2 @@\n-one\n+two\n",
    "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n",
    "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n",
    "*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\n",
  ])("refuses a change of a file where the file belongs: %j", async (content) => {
    const workspace = createFakeWorkspace({ files: { "a.ts": "one\n" } });
    const { ok, result } = await use("write_file", { path: "a.ts", content }, workspace);
    expect(ok).toBe(false);
    expect(result).toContain("edit_file");
    expect(workspace.text("a.ts")).toBe("one\n");
    const outcome = await use("write_file", { path: "fix.patch", content }, workspace);
    expect(outcome.ok).toBe(true);
  });

  it("keeps entities, fences and line endings as they are", async () => {
    const workspace = createFakeWorkspace();
    const content = "\uFEFF&lt;b&gt;\r\n```js\r\n";
    await use("write_file", { path: "a.md", content }, workspace);
    const { bytes } = await workspace.files.read(toProjectPath("a.md"));
    expect(Buffer.from(bytes).toString("utf8")).toBe(content);
  });
});

describe("edit_file", () => {
  it("applies all edits", async () => {
    const workspace = createFakeWorkspace({ files: { "a.ts": "one\ntwo\nthree\n" } });
    const done = await use(
      "edit_file",
      {
        path: "a.ts",
        edits: [
          { old: "one", new: "1" },
          { old: "three", new: "3" },
        ],
      },
      workspace,
    );
    expect(done).toMatchObject({ ok: true, title: "Edited a.ts" });
    expect(workspace.text("a.ts")).toBe("1\ntwo\n3\n");
  });

  it("applies none if one fails, and shows the nearest lines", async () => {
    const workspace = createFakeWorkspace({
      files: { "a.ts": "const total = sum(items);\nshow(total);\n" },
    });
    const { ok, result } = await use(
      "edit_file",
      {
        path: "a.ts",
        edits: [
          { old: "show(total)", new: "hide()" },
          { old: "const total = sum(entries);", new: "x" },
        ],
      },
      workspace,
    );
    expect(ok).toBe(false);
    expect(result).toContain("const total = sum(items);");
    expect(result).toContain("Edit 2");
    expect(workspace.text("a.ts")).toContain("show(total)");
  });

  it("refuses files that are not text (F21, F22)", async () => {
    const workspace = createFakeWorkspace();
    await workspace.files.write(toProjectPath("a.bin"), new Uint8Array([0xff, 0xfe, 0x00]));
    const { ok } = await use(
      "edit_file",
      { path: "a.bin", edits: [{ old: "a", new: "b" }] },
      workspace,
    );
    expect(ok).toBe(false);
  });

  it("gives advice for a missing file", async () => {
    const { ok, result } = await use("edit_file", {
      path: "no.ts",
      edits: [{ old: "a", new: "b" }],
    });
    expect(ok).toBe(false);
    expect(result).toContain("There is no no.ts");
  });
});

describe("read_file", () => {
  it("reads a range of lines, and says how to read the rest", async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n + 1} ${"x".repeat(20)}`).join(
      "\n",
    );
    const workspace = createFakeWorkspace({ files: { "long.txt": lines } });
    const unlimited = await use("read_file", { path: "long.txt" }, workspace);
    expect(unlimited.result.length).toBeLessThan(16_000);
    const next = Number(/offset (\d+)\)$/.exec(unlimited.result)?.[1]);
    const more = await use("read_file", { path: "long.txt", offset: next, limit: 2 }, workspace);
    expect(more.result.startsWith(`line ${next} `)).toBe(true);
    expect(more.result.split("\n").filter((line) => line.startsWith("line "))).toHaveLength(2);
  });

  it("labels a file that is not text", async () => {
    const workspace = createFakeWorkspace();
    await workspace.files.write(toProjectPath("a.png"), new Uint8Array([0x89, 0x50, 0, 1]));
    expect((await use("read_file", { path: "a.png" }, workspace)).result).toBe(
      "a.png is not text (4 bytes).",
    );
  });
});

describe("run_command", () => {
  it("gives the exit code, and head and tail of a long output without escape sequences (A41, F18)", async () => {
    const output = `first\u001b[31m red\u001b[0m\n${"noise\n".repeat(5_000)}last`;
    const workspace = createFakeWorkspace({ command: () => ({ code: 3, output }) });
    const { ok, title, result } = await use("run_command", { command: "make it" }, workspace);
    expect(ok).toBe(false);
    expect(title).toBe("make it failed with 3");
    expect(result).toContain("Exit code 3");
    expect(result).toContain("first red\n");
    expect(result.endsWith("last")).toBe(true);
    expect(result).toContain("characters left out");
    expect(result.length).toBeLessThan(9_000);
    expect(result).not.toContain("\u001b");
  });

  it("gives advice if the command failed because PostgreSQL was unreachable", async () => {
    const output = "Error: connect ECONNREFUSED 127.0.0.1:5432";
    const run = (code: number) =>
      use("run_command", { command: "x" }, createFakeWorkspace({ command: () => ({ code, output }) })); // prettier-ignore
    expect((await run(1)).result).toContain("No PostgreSQL answers where this project runs");
    expect((await run(0)).result).not.toContain("No PostgreSQL answers");
  });

  it("gives the number of installed packages", async () => {
    const workspace = createFakeWorkspace({
      files: { "package.json": '{"dependencies":{"a":"1.0.0","b":"1.0.0"}}' },
    });
    expect((await use("run_command", { command: "npm install" }, workspace)).title).toBe(
      "Installed 2 packages",
    );
  });

  it("reports that a command became the server", async () => {
    const workspace = createFakeWorkspace({
      command: () => ({ listens: true }),
      serve: () => (_request, response) => void response.end("hi"),
    });
    const { title } = await use("run_command", { command: "npm start" }, workspace);
    expect(title).toMatch(/^Started npm start on port \d+$/);
  });
});

describe("use_template", () => {
  const readTemplate = async () => [
    { path: "package.json", content: '{"dependencies":{"react":"19.0.0"}}' },
    { path: "index.html", content: "<div></div>" },
  ];

  it("writes the files and installs", async () => {
    const workspace = createFakeWorkspace();
    const { ok, result } = await use("use_template", { template: "react" }, workspace, {
      readTemplate,
    });
    expect(ok).toBe(true);
    expect(result).toContain("index.html");
    expect(workspace.text("node_modules/react/package.json")).toBeDefined();
  });

  it("shows small files in full, and outlines of the others", async () => {
    const large = `export function total() {\n${"  // a line\n".repeat(400)}}\n`;
    const { result } = await use("use_template", { template: "react" }, createFakeWorkspace(), {
      readTemplate: async () => [
        ...(await readTemplate()),
        { path: "src/total.ts", content: large },
        { path: "src/data.txt", content: "x".repeat(5_000) },
      ],
    });
    expect(result).toContain("<div></div>");
    expect(result).toContain("export function total()");
    expect(result).not.toContain("// a line");
    expect(result).toMatch(/Not shown: src\/data\.txt/);
  });

  it("shows as many files in full as fit, and no tool settings", async () => {
    const { result } = await use("use_template", { template: "react" }, createFakeWorkspace(), {
      readTemplate: async () => [
        ...(await readTemplate()),
        ...Array.from({ length: 8 }, (_, index) => ({
          path: `src/a${index}.txt`,
          content: "x".repeat(2_400),
        })),
        { path: "src/z.txt", content: "the smallest" },
        { path: ".gitignore", content: "node_modules/" },
        { path: "src/env.d.ts", content: "declare const x: number;" },
      ],
    });
    expect(result).toContain("the smallest");
    expect(result).toMatch(/Not shown: .*\.gitignore.*src\/env\.d\.ts/);
    expect(result).not.toContain("declare const");
  });

  it("shows no template file in place of the person's own", async () => {
    const workspace = createFakeWorkspace({ files: { "index.html": "mine" } });
    const given = new Map<ProjectPath, string>();
    const { result } = await use("use_template", { template: "react" }, workspace, {
      readTemplate,
      given,
    });
    expect([...given.keys()]).toEqual(["package.json"]);
    expect(result).not.toContain("<div></div>");
    expect(workspace.text("index.html")).toBe("mine");
  });

  it("F17 gives an install on a slow line more time than a command", async () => {
    const workspace = createFakeWorkspace();
    const given: unknown[] = [];
    const run = workspace.run.bind(workspace);
    workspace.run = (command, options) => {
      given.push(options?.quietMs, options?.timeoutMs);
      return run(command, options);
    };
    const { ok } = await use("use_template", { template: "react" }, workspace, { readTemplate });
    expect([ok, given]).toEqual([true, [300_000, 1_800_000]]);
  });

  it.each([
    ["vite --host", ["npm install", "warm: npm run dev"]],
    ["node server.js", ["npm install"]],
  ])("starts a dev server early where it takes changes: %s", async (dev, commands) => {
    const workspace = createFakeWorkspace();
    const manifest = { path: "package.json", content: JSON.stringify({ scripts: { dev } }) };
    const more = { readTemplate: async () => [manifest] };
    await use("use_template", { template: "react" }, workspace, more);
    expect(workspace.commands).toEqual(commands);
  });

  it("installs nothing without a package.json, and says how the app is served", async () => {
    const workspace = createFakeWorkspace();
    const { ok, result } = await use("use_template", { template: "static" }, workspace, {
      readTemplate: async () => [{ path: "index.html", content: "<h1>Hello</h1>" }],
    });
    expect(ok).toBe(true);
    expect(result).toContain("treadle-serve");
    expect(workspace.commands).toEqual([]);
  });

  it("offers the existing templates", () => {
    expect([...TEMPLATE_NAMES].sort()).toEqual(listTemplates().sort());
  });

  it("does not change a non-empty project", async () => {
    const workspace = createFakeWorkspace({ files: { "package.json": "{}" } });
    const { ok } = await use("use_template", { template: "react" }, workspace, { readTemplate });
    expect(ok).toBe(false);
    expect(workspace.text("package.json")).toBe("{}");
  });
});

it("list_files and search_files are limited and say how to get the rest", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 900 }, (_, n) => [`src/f${n}.txt`, "needle"]),
  );
  const workspace = createFakeWorkspace({ files });
  const listed = await use("list_files", {}, workspace);
  expect(listed.result).toContain("more than 400");
  const found = await use("search_files", { pattern: "needle" }, workspace);
  expect(found.result).toContain("more than 100");
});

it("search_files names each file once, and tells matches from context lines", async () => {
  const workspace = createFakeWorkspace({
    files: { "a.ts": "one\nneedle\ntwo\nthree\nfour\nneedle", "b.ts": "x\nneedle" },
  });
  const alone = await use("search_files", { pattern: "needle" }, workspace);
  expect(alone.result).toBe("a.ts\n2: needle\n6: needle\nb.ts\n2: needle");
  const around = await use("search_files", { pattern: "needle", around: 1 }, workspace);
  expect(around.result).toBe(
    "a.ts\n1- one\n2: needle\n3- two\n--\n5- four\n6: needle\nb.ts\n1- x\n2: needle",
  );
});

it("delete_file keeps what the person has just written, in a folder as well", async () => {
  for (const path of ["docs/a.txt", "docs"]) {
    const workspace = createFakeWorkspace();
    const version = workspace.put("docs/a.txt", "theirs");
    const { ok } = await use("delete_file", { path }, workspace, {
      personWrites: new Map([[toProjectPath("docs/a.txt"), version]]),
    });
    expect(ok).toBe(false);
    expect(workspace.text("docs/a.txt")).toBe("theirs");
  }
});

it("F13 write_file notices a save of the person that is not recorded yet", async () => {
  const workspace = createFakeWorkspace();
  const version = workspace.put("a.txt", "theirs");
  const personWrites = new Map<ProjectPath, string>();
  const { ok, result } = await use("write_file", { path: "a.txt", content: "mine" }, workspace, {
    personWrites,
    personSettled: async () => void personWrites.set(toProjectPath("a.txt"), version),
  });
  expect([ok, workspace.text("a.txt")]).toEqual([false, "theirs"]);
  expect(result).toContain("theirs");
});

it("F13 a version of the person that the model has read is saved before it is overwritten or removed", async () => {
  const path = toProjectPath("a.txt");
  for (const [tool, input] of [
    ["write_file", { path, content: "mine" }],
    ["delete_file", { path }],
  ] as const) {
    const workspace = createFakeWorkspace();
    const version = workspace.put("a.txt", "theirs");
    const written: (string | undefined)[] = [];
    const { ok } = await use(tool, input, workspace, {
      personWrites: new Map([[path, version]]),
      seen: new Map([[path, version]]),
      keepStanding: async () => void written.push(workspace.text("a.txt")),
    });
    expect([ok, written]).toEqual([true, ["theirs"]]);
  }
  // Its author is not recorded yet, and the model has seen an earlier version.
  const workspace = createFakeWorkspace();
  workspace.put("a.txt", "of an editor");
  let saves = 0;
  const more = { keepStanding: async () => void saves++ };
  await use("write_file", { path, content: "mine" }, workspace, { ...more, seen: new Map([[path, "older"]]) }); // prettier-ignore
  expect(saves).toBe(1);
  await use("write_file", { path, content: "again" }, workspace, { ...more, seen: new Map([[path, (await workspace.files.read(path)).version]]) }); // prettier-ignore
  expect(saves).toBe(1);
});

it.each(["./index.html", ".//index.html", "index.html/"])(
  "F13 a save of the person is found by every spelling of its path: %s",
  async (path) => {
    const workspace = createFakeWorkspace();
    const version = workspace.put("index.html", "theirs");
    const { ok } = await use("write_file", { path, content: "mine" }, workspace, {
      personWrites: new Map([[toProjectPath("index.html"), version]]),
    });
    expect([ok, workspace.text("index.html")]).toEqual([false, "theirs"]);
  },
);

it("read_build_result waits no longer than the given time", async () => {
  const { result } = await use("read_build_result", { wait_seconds: 0 }, createFakeWorkspace(), {
    evidence: () => new Promise(() => {}),
  });
  expect(result).toContain("no build result reported yet");
});

describe("F13 a file that is too large to be loaded", () => {
  const LARGE = "x".repeat(2_000_001);

  it("is not overwritten until the model was told about the person's change", async () => {
    const workspace = createFakeWorkspace();
    const version = workspace.put("data.json", LARGE);
    const path = toProjectPath("data.json");
    const more = { personWrites: new Map([[path, version]]), seen: new Map<ProjectPath, string>() };
    const { ok, result } = await use("write_file", { path, content: "{}" }, workspace, more);
    expect([ok, workspace.text("data.json")?.length]).toEqual([false, LARGE.length]);
    expect(result).toContain("too large");
    expect(await use("write_file", { path, content: "{}" }, workspace, more)).toMatchObject({ ok: true }); // prettier-ignore
  });

  it("is saved before it is overwritten", async () => {
    const workspace = createFakeWorkspace();
    const path = toProjectPath("data.json");
    const version = workspace.put(path, LARGE);
    const written: (number | undefined)[] = [];
    await use("write_file", { path, content: "{}" }, workspace, {
      personWrites: new Map([[path, version]]),
      seen: new Map([[path, version]]),
      keepStanding: async () => void written.push(workspace.text(path)?.length),
    });
    expect(written).toEqual([LARGE.length]);
  });

  it("is not overwritten when it changes between the check and the write", async () => {
    const workspace = createFakeWorkspace();
    const path = toProjectPath("data.json");
    workspace.put(path, LARGE);
    const theirs = `${LARGE}theirs`;
    let saves = 0;
    const personWrites = new Map<ProjectPath, string>();
    const { ok } = await use("write_file", { path, content: "{}" }, workspace, {
      personWrites,
      personSettled: async () => {
        if (saves++ === 0) personWrites.set(path, workspace.put(path, theirs));
      },
    });
    expect([ok, workspace.text(path)?.length]).toEqual([false, theirs.length]);
  });

  it("cannot be edited, and reports that", async () => {
    const workspace = createFakeWorkspace({ files: { "data.json": LARGE } });
    const edits = [{ old: "x", new: "y" }];
    const { ok, result } = await use("edit_file", { path: "data.json", edits }, workspace);
    expect(ok).toBe(false);
    expect(result).toContain("too large");
  });
});

describe("write_file that omits most of a file", () => {
  const before = "export function one() {}\nexport function two() {}\nexport function three() {}\n";
  it.each([
    "// ... 其余代码不变 ...\nexport function one() {}\n",
    "export function one() {}\n// … der Rest bleibt …\n",
    "export function four() {}\n/* ... el resto igual ... */\n",
  ])("is refused where a comment stands for the rest, in any language: %j", async (content) => {
    const workspace = createFakeWorkspace({ files: { "a.ts": before } });
    const { ok, result } = await use("write_file", { path: "a.ts", content }, workspace);
    expect([ok, workspace.text("a.ts")]).toEqual([false, before]);
    expect(result).toContain("of the 3 declarations");
  });

  it.each([
    "export function four() {}\n",
    `${before}// Loading...\n`,
    "// ... 其余代码不变 ...\nexport function one() {}\nexport function two() {}\n",
  ])(
    "writes the file if nothing stands for omitted text, or most of it is there: %j",
    async (content) => {
      const workspace = createFakeWorkspace({ files: { "a.ts": before } });
      expect(await use("write_file", { path: "a.ts", content }, workspace)).toMatchObject({ ok: true }); // prettier-ignore
    },
  );
});
