import { expect, test } from "vitest";
import { contentText } from "./answer-text.ts";

test("A41 a tool server's answer speaks to no terminal", () => {
  const raw = "a\u001b]52;c;c2VjcmV0\u0007\u001b[2Kb\u009b31mc\u0008\td\r\ne\u202ef";
  expect(contentText([{ type: "text", text: raw }])).toBe("ab31mc\td\ne\\u{202e}f");
});
