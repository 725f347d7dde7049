import { expect, it } from "vitest";
import { MARKS } from "./marks.ts";
import { unreadCall } from "./unread.ts";

it.each(MARKS)("$product: finds what was not executed", ({ example }) => {
  const unread = unreadCall(`Okay.\n\n${example}\n`);
  expect(unread).toBeDefined();
  expect(example).toContain(unread);
});

it.each(MARKS)("$product: ignores what is shown as code", ({ example }) => {
  const shown = `This is how it looks:\n~~~\n${example}\n~~~\nAnd \`${example.split("\n")[0]!.replaceAll("`", "")}\`.\n`;
  expect(unreadCall(shown)).toBeUndefined();
});

it.each(MARKS.filter(({ tags, example }) => tags && example.includes("=")))(
  "$product: a tag after words counts",
  ({ example }) => {
    expect(unreadCall(`Here it is: ${example}\n`)).toBeDefined();
  },
);
