import { expect, it } from "vitest";
import { isAnswer } from "./is-answer.ts";

it.each([
  ["where the cursor is", "\u001b[12;40R"],
  ["that it is well", "\u001b[0n"],
  ["what it is", "\u001b[?1;2c"],
  ["which one it is", "\u001b[>0;276;0c"],
  ["its size", "\u001b[8;24;80t"],
  ["a mode", "\u001b[?2004;2$y"],
  ["a colour", "\u001b]11;rgb:ffff/ffff/ffff\u001b\\"],
  ["a setting", '\u001bP1$r0;1"p\u001b\\'],
])("%s is sent by the screen itself", (_, data) => expect(isAnswer(data)).toBe(true));

it.each([
  ["a letter", "y"],
  ["a line", "npm test\r"],
  ["what is pasted", "\u001b[200~clear; yes\u001b[201~"],
  ["an arrow", "\u001b[A"],
  ["a word to the left", "\u001b[1;5D"],
  ["F5", "\u001b[15~"],
  ["Escape", "\u001b"],
  ["Alt and a letter", "\u001bc"],
  ["Ctrl-C", "\u0003"],
])("%s is typed by a user", (_, data) => expect(isAnswer(data)).toBe(false));
