import { expect, test } from "vitest";
import { asTags, wasTaughtTags } from "./as-tags.ts";

test("calls become tags, edits become blocks, and faults stay in place", () => {
  expect(
    asTags({ name: "test", steps: [] }, undefined, [
      { type: "say", text: "Mending." },
      { type: "call", tool: "write_file", input: { path: "a.js", content: "let a = 1;\n" } },
      {
        type: "call",
        tool: "edit_file",
        input: { path: "a.js", edits: [{ old: "= 1", new: "= 2" }] },
      },
      { type: "call", tool: "read_file", input: { path: "a.js", offset: 3 } },
      { type: "fault", fault: { kind: "length" } },
    ]),
  ).toEqual([
    {
      type: "say",
      text: [
        "Mending.",
        "<write_file>\n<path>\na.js\n</path>\n<content>\nlet a = 1;\n</content>\n</write_file>",
        "<edit_file>\n<path>\na.js\n</path>\n<edits>\n------- SEARCH\nlet a = 1;\n=======\nlet a = 2;\n+++++++ REPLACE\n</edits>\n</edit_file>",
        "<read_file>\n<path>\na.js\n</path>\n<offset>\n3\n</offset>\n</read_file>",
      ].join("\n"),
    },
    { type: "fault", fault: { kind: "length" } },
  ]);
});

test("a prompt that teaches bolt's artifacts does not teach tags", () => {
  expect(wasTaughtTags("write <boltAction> …")).toBe(false);
  expect(wasTaughtTags("<edit_file>\n<path>…</path>\n</edit_file>")).toBe(true);
});
