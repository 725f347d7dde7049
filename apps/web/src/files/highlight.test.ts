import { Parser } from "@lezer/common";
import { expect, it, vi } from "vitest";
import { highlight, Highlighter } from "./highlight.ts";
import { loadLanguage } from "./languages.ts";

it("colours all of the code, in order", async () => {
  const code = "const a = 1;\nlet b;";
  const pieces = (await highlight(code, "ts"))!;
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  expect(pieces.find(({ text }) => text === "const")?.colour).toBeDefined();
  expect(await highlight(code, "klingon")).toBeUndefined();
});

/** A parser that counts its steps, which takes the same time on every machine. */
class CountingParser extends Parser {
  steps = 0;
  readonly #parser: Parser;
  constructor(parser: Parser) {
    super();
    this.#parser = parser;
  }
  createParse(...asked: Parameters<Parser["createParse"]>) {
    const parse = this.#parser.createParse(...asked);
    return new Proxy(parse, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "advance") this.steps++;
        return value.bind(target) as unknown;
      },
    });
  }
}

it("colours a growing text in time proportional to its length", async () => {
  const piece = "function add(list, task) {\n  return [...list, `${task} \\n`]; // one more\n}\n";
  const { language } = (await loadLanguage(".ts"))!;
  const grow = async (pieces: number) => {
    const parser = new CountingParser(language.parser);
    const highlighter = new Highlighter(parser);
    let [text, coloured] = ["", ""];
    for (let count = 0; count < pieces; count++) {
      const from = text.length;
      text += piece;
      const added = (await highlighter.highlight(text, from))!;
      expect(added.find((one) => one.text === "function")?.colour).toBeDefined();
      coloured += added.map((one) => one.text).join("");
    }
    expect(coloured).toBe(text);
    return parser.steps;
  };
  // A busy machine would use up the time that a text may take.
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const [few, many] = [await grow(50), await grow(200)];
    expect(many / few).toBeLessThan(6);
  } finally {
    vi.useRealTimers();
  }
});

it("A167 gives up on code that takes too long, without blocking the page", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const pieces = await highlight("<".repeat(20_000), "html");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  if (pieces) expect(pieces.map(({ text }) => text).join("")).toBe("<".repeat(20_000));
});
