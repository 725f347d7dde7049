/** Reading what a cut answer left open takes linear time, whatever it contains. */
import { expect, test } from "vitest";
import { openActionOf } from "./artifact/open-action.ts";
import { openParamOf } from "./tags/open-param.ts";
import type { TagTool } from "./tags/tag-tools.ts";

const LONG = 200_000;

test("a line before a fence has any length", () => {
  expect(openActionOf(`a\n${"x".repeat(LONG)}:\n\n\`\`\`ts\nlet a`)?.around).toHaveLength(LONG + 3);
  expect(
    openActionOf(`${"x".repeat(LONG)}\n${"\n".repeat(LONG)}y \`\`\`ts\nlet a`),
  ).toBeUndefined();
});

test("the same applies to the text in place of a path", () => {
  const tool = {
    name: "write_to_file",
    examples: new Map(),
    params: new Map([
      ["path", {}],
      ["content", {}],
    ]),
  };
  const open = (path: string) =>
    openParamOf(`<write_to_file><path>${path}</path><content>a`, [tool as unknown as TagTool]);
  expect(open(" a.md\n")?.isProse).toBe(true);
  expect(open("\t".repeat(LONG))?.isProse).toBe(false);
});
