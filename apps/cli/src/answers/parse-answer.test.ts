import { describe, expect, it } from "vitest";
import { REAL_ANSWERS, sharedAnswers } from "../../../../packages/dialects/src/real-answers.test-support.ts"; // prettier-ignore
import { parseAnswer } from "./parse-answer.ts";

const SIZES = [1, 2, 3, 7, 16, Number.MAX_SAFE_INTEGER];

function read(dialect: "artifact" | "tags", text: string, size: number, exact = false) {
  const files: Record<string, string> = {};
  const parsed = { deleted: [] as string[], commands: [] as string[], odd: 0, wrong: 0, cut: 0 };
  const reader = parseAnswer(
    { dialect, exact },
    {
      event(event: { type: string; actionType?: string; content?: string; params?: object }) {
        const isCommand = event.actionType === "shell" || event.actionType === "start";
        if (event.type === "action-close" && isCommand) parsed.commands.push(event.content!);
        if (event.type !== "tool-close") return;
        const { command } = event.params as { command?: string };
        if (command !== undefined) parsed.commands.push(command);
      },
      changed(change) {
        if (change.type === "delete") parsed.deleted.push(change.path);
        if (change.type === "write") files[change.path] = change.content;
      },
      command: () => {},
      cut: () => void parsed.cut++,
      wrong: () => void parsed.wrong++,
      odd: () => void parsed.odd++,
    },
  );
  for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
  reader.end();
  return { files, ...parsed };
}

describe("treadle parse reads answers like a run", () => {
  it.each(REAL_ANSWERS)(
    "$shape",
    ({ dialect, text, files, deleted = [], commands = [], isTold }) => {
      for (const size of SIZES)
        expect(read(dialect, text, size)).toMatchObject({
          files,
          deleted,
          commands,
          wrong: isTold ? 1 : 0,
          cut: 0,
        });
    },
  );

  const shared = sharedAnswers();
  if (shared.length === 0) it("the shared answers are absent: they were NOT read", () => {});
  it.each(shared)("$name", ({ dialect, parts, files, commands, cut, deleted }) => {
    for (const size of SIZES) {
      const results = parts.map((text) => read(dialect, text, size));
      const all = <T>(select: (one: ReturnType<typeof read>) => T[]) => results.flatMap(select);
      expect([...new Set(all((one) => Object.keys(one.files)))]).toEqual(files);
      expect(all((one) => one.commands)).toEqual(commands);
      expect(all((one) => one.deleted)).toEqual(deleted === undefined ? [] : [deleted]);
      expect(results.every(({ wrong }) => wrong === 0)).toBe(true);
      // A continued text is only complete in its last part.
      expect(results.at(-1)!.cut).toBe(cut === undefined ? 0 : 1);
    }
  });

  it("reads literally on request", () => {
    const fenced =
      '<boltArtifact id="a"><boltAction type="file" filePath="a.ts">\n```ts\ngo();\n```\n</boltAction></boltArtifact>';
    expect(read("artifact", fenced, 7, true).files).toEqual({ "a.ts": "```ts\ngo();\n```\n" });
    const call = "```\n<write_file><path>a</path><content>b</content></write_file>\n```\n";
    expect(read("tags", call, 7, true).files).toEqual({});
  });

  it("reports an implied end, and an unknown parameter", () => {
    expect(
      read("artifact", '<boltAction type="file" filePath="a">\nx\n</boltArtifact>\n', 3),
    ).toMatchObject({ files: { a: "x\n" }, odd: 1 });
    const call = "<write_file><path>a</path><x>1</x><content>b</content></write_file>";
    expect(read("tags", call + call, 3)).toMatchObject({ odd: 1 });
  });
});
