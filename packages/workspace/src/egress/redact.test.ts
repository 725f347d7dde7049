import { expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const secrets = [
  { name: "KEY", value: "sk-12345678" },
  { name: "LONGER", value: "sk-12345678-more" },
  { name: "SHORT", value: "abc" },
];

function through(pieces: string[], known = secrets): string {
  const redactor = createRedactor(() => known);
  return pieces.map((piece) => redactor.push(piece)).join("") + redactor.flush();
}

it("puts the name in place of the value, however the text is cut", () => {
  const text = "A=sk-12345678\nB=sk-12345678-more, abc sk-1234567 sk-sk-12345678";
  const expected = "A=[secret KEY]\nB=[secret LONGER], abc sk-1234567 sk-[secret KEY]";
  expect(through([text])).toBe(expected);
  expect(through(["A=sk-123", "45678\nrest"])).toBe("A=[secret KEY]\nrest");
  // Cut inside of a value that begins with another one, the shorter name may be what is shown; never the value.
  for (let at = 0; at < text.length; at++)
    expect(through([text.slice(0, at), text.slice(at)])).not.toContain("sk-12345678");
  expect(through([...text])).not.toContain("sk-12345678");
});

it("holds nothing back where there are no secrets, nor what cannot become one", () => {
  const none = createRedactor(() => []);
  expect(none.push("sk-")).toBe("sk-");
  const some = createRedactor(() => secrets);
  expect(some.push("ready\n")).toBe("ready\n");
  expect(some.push("mask: s")).toBe("mask: ");
  expect(some.push("et")).toBe("set");
});
