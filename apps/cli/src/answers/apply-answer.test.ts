import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  CARRIED_OUT,
  NOT_CARRIED_OUT,
  type FoundAnswer,
} from "../../../../packages/agent/src/dialects/found-answers.test-support.ts";
import { applyChange, type AnswerChange } from "./apply-answer.ts";
import { parseAnswer } from "./parse-answer.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Applies an answer as `treadle parse --dir` does, to a folder with a project. */
async function apply(
  { project, answer }: Pick<FoundAnswer, "project" | "answer">,
  dialect: "artifact" | "tags" = "artifact",
) {
  const target = mkdtempSync(join(tmpdir(), "parsed-"));
  folders.push(target);
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  const changes: AnswerChange[] = [];
  const problems: string[] = [];
  const commands: string[] = [];
  const reader = parseAnswer(
    { dialect, exact: false },
    {
      event: () => {},
      changed: (change) => void changes.push(change),
      command: (text) => void commands.push(text),
      cut: () => void problems.push("cut"),
      wrong: (sentence) => void problems.push(sentence),
      odd: () => {},
    },
  );
  reader.write(answer);
  reader.end();
  for (const change of changes) {
    const problem = await applyChange(target, change);
    if (problem !== undefined) problems.push(problem);
  }
  const read = (path: string) => {
    try {
      return readFileSync(join(target, path), "utf8");
    } catch {
      return undefined;
    }
  };
  return { read, problems, commands };
}

describe("treadle parse --dir applies what a run would", () => {
  it.each(CARRIED_OUT)("$name", async (one) => {
    const { read, problems } = await apply(one);
    expect(problems).toEqual([]);
    for (const [path, text] of Object.entries(one.files ?? {}))
      expect([path, read(path)]).toEqual([path, text]);
  });

  it.each(NOT_CARRIED_OUT)("does not apply: $name", async (one) => {
    const { read } = await apply(one);
    for (const [path, text] of Object.entries({ ...one.project, ...one.files }))
      expect([path, read(path)]).toEqual([path, text]);
    for (const path of one.absent ?? []) expect(read(path)).toBeUndefined();
  });
});

describe("treadle parse --dir reports what it did not apply", () => {
  const files = {
    "a.ts": "export function one() {}\nexport function two() {}\nexport const three = 3;\n",
  };
  const write = (content: string) =>
    `<boltArtifact id="a" title="A">\n<boltAction type="file" filePath="a.ts">\n${content}</boltAction>\n</boltArtifact>\n`;
  const edit = (old: string) =>
    `<replace_in_file>\n<path>a.ts</path>\n<diff>\n<<<<<<< SEARCH\n${old}\n=======\nexport const four = 4;\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n`;

  it.each([
    ["a part in a fence", "artifact", "a.ts\n```ts\nexport function two() {}\n```\n"],
    ["an edit in a fence that fits nowhere", "artifact", "a.ts\n```ts\n<<<<<<< SEARCH\nno\n=======\nyes\n>>>>>>> REPLACE\n```\n"],
    ["a patch that cannot be read", "artifact", "```\n*** Begin Patch\n*** Update File: a.ts\n```\n"],
    ["a deletion in a patch", "artifact", "```\n*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\n```\n"],
    ["dots for the rest in a marked file", "artifact", write("// ... 其余不变 ...\n")],
    ["an edit in tags that fits nowhere", "tags", edit("nothing")],
  ] as const)("%s", async (_what, dialect, answer) => {
    const { read, problems } = await apply({ project: files, answer }, dialect);
    expect(read("a.ts")).toBe(files["a.ts"]);
    expect(problems).toHaveLength(1);
  }); // prettier-ignore

  it("applies an edit in tags, and runs no command", async () => {
    const answer = edit("export const three = 3;");
    const { read, problems } = await apply({ project: files, answer }, "tags");
    expect(problems).toEqual([]);
    expect(read("a.ts")).toContain("four = 4");
    const advice = await apply({ project: files, answer: "```bash\nnpm install\n```\n" });
    expect(advice).toMatchObject({ commands: ["npm install"], problems: [] });
  });
});
