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

it("replaces a value with its name, however the text is split", () => {
  const text = "A=sk-12345678\nB=sk-12345678-more, abc sk-1234567 sk-sk-12345678";
  const expected = "A=[secret KEY]\nB=[secret LONGER], abc sk-1234567 sk-[secret KEY]";
  expect(through([text])).toBe(expected);
  expect(through(["A=sk-123", "45678\nrest"])).toBe("A=[secret KEY]\nrest");
  // If the split is inside a value that begins with another one, the shorter name may be shown, but
  // never the value.
  for (let at = 0; at < text.length; at++)
    expect(through([text.slice(0, at), text.slice(at)])).not.toContain("sk-12345678");
  expect(through([...text])).not.toContain("sk-12345678");
});

it("replaces a value in the encodings of programs, whatever surrounds it", () => {
  const value = 'pa55 wörd/+="42?x';
  const known = [{ name: "MAIL", value }];
  const spelled = [
    JSON.stringify({ pass: value }),
    `https://mail.example/?p=${encodeURIComponent(value)}&x=1`,
    Buffer.from(value).toString("hex"),
    ...["", "a", "ab", "ada:"].flatMap((before) =>
      ["", "!", "!!"].flatMap((after) => [
        Buffer.from(before + value + after).toString("base64"),
        Buffer.from(before + value + after).toString("base64url"),
      ]),
    ),
  ];
  for (const text of spelled) {
    expect(through([`> ${text}\n`], known)).toContain("[secret MAIL]");
    expect(through([...text], known)).toContain("[secret MAIL]");
  }
  expect(through(["lone \ud800 and more"], [{ name: "ODD", value: "lone \ud800 and" }])).toBe(
    "[secret ODD] more",
  );
});

it("holds nothing back without secrets, nor text that cannot become one", () => {
  const none = createRedactor(() => []);
  expect(none.push("sk-")).toBe("sk-");
  const some = createRedactor(() => secrets);
  expect(some.push("ready\n")).toBe("ready\n");
  expect(some.push("mask: s")).toBe("mask: ");
  expect(some.push("et")).toBe("set");
});
