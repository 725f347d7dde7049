import { expect, it } from "vitest";
import { unreadCall } from "./unread.ts";

it.each([
  "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch",
  '<lov-write file_path="a.ts">\na\n</lov-write>',
  '<dyad-write path="a.ts" description="x">\na\n</dyad-write>',
  "src/a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE",
  "<write_file>\n<path>a</path>\n<content>\nb\n</content>\n</write_file>",
  '<invoke name="run_command">\n<parameter name="command">ls</parameter>\n</invoke>',
  '<tool_call>\n{"name": "none", "arguments": {}}\n</tool_call>',
  '{"name": "write_file", "parameters": {"path": "a"}}',
  "I go.<｜tool▁calls▁begin｜>",
  'assistantcommentary to=functions.run_command json{"command":"ls"}',
  "Action: run_command\nAction Input: {}",
  '<think>I plan.\n<boltArtifact id="a" title="A">',
  "&lt;boltArtifact id=&quot;a&quot;&gt;",
  'Install: <boltAction type="shell">npm install</boltAction>',
])("quotes the beginning of what was not executed in %j", (text) => {
  const unread = unreadCall(`Okay.\n\n${text}\n`);
  expect(unread).not.toBeUndefined();
  expect(text).toContain(unread);
});

it.each([
  "I use `<write_file>` for it, and `*** Begin Patch`.",
  "Use <write_file> with a path.",
  "```xml\n<write_file>\n<path>a</path>\n</write_file>\n```",
  "<think>\n<write_file>\n</think>\nDone.",
  "<!-- <write_file> -->",
  "> <write_file>",
  "For example:\n<write_file>\n<path>a</path>",
  "<write_file>\n<path>...</path>\n<content>...</content>\n</write_file>",
  '{"name": "app", "version": "1.0.0"}',
  'I will use <boltAction type="shell"> for it.',
  "The <div> is there.\n- [x] done",
])("finds nothing in %j", (text) => {
  expect(unreadCall(text)).toBeUndefined();
});

it("searches unclosed reasoning in linear time", () => {
  expect(unreadCall("<think><!--<thought>".repeat(40_000))).toBeUndefined();
});
