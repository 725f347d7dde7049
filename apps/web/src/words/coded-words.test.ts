import { sentence } from "@treadle/protocol/sentences";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CompiledMessage } from "icu-minify/format";
import { valuesOf } from "../../catalogues/compile.ts";
import type { Sentences } from "../../catalogues/english-source.ts";
import { ACCOUNT_SENTENCES } from "../../../../packages/server/src/access/account-sentences.ts";
import source from "./en/sentences.json?raw";
import * as first from "./en/first-load.ts";
import * as later from "./en/later.ts";
import { formatMessage } from "./format-message.ts";
import { addWords, loadLaterWords, startWords } from "./words.ts";
import { codedWords, wordsOf } from "./coded-words.ts";

const groups = JSON.parse(source) as Record<string, Sentences>;
const catalogue: Sentences = Object.assign({}, ...Object.values(groups));
const codes = Object.keys(catalogue);

/** The functions generated from the catalogue. */
const english: Record<string, (values: object) => string> = Object.assign(
  {},
  ...Object.values(
    import.meta.glob<Record<string, object>>(
      "../../../../packages/protocol/src/sentences/english/*.ts",
      { eager: true },
    ),
  ).flatMap((module) => Object.values(module)),
);

/** The page's catalogues, as they are compiled. */
const compiled = import.meta.glob<{ accounts: Record<string, CompiledMessage> }>(
  "./*/sentences.json",
  { eager: true, import: "default" },
);

/** The server's source files. */
const sources = Object.values(
  import.meta.glob<string>(
    [
      "../../../../packages/*/src/**/*.ts",
      "!../../../../packages/*/src/**/*.test*.ts",
      "!../../../../packages/protocol/src/sentences/english/*.ts",
      "!../../../../packages/server/src/access/account-sentences.ts",
    ],
    { query: "?raw", import: "default", eager: true },
  ),
);

/** Sample values that cover each form of a message. */
function samples(message: string): Record<string, string | number>[] {
  const types = [...valuesOf(message)];
  return [0, 1, 2].map((count) =>
    Object.fromEntries(
      types.map(([name, type]) => [name, type === "number" ? count : `<${name}>`]),
    ),
  );
}

describe("a sentence with a code", () => {
  it("is in only one group of the catalogue", () => {
    const all = Object.values(groups).flatMap((group) => Object.keys(group));
    expect(all.toSorted()).toEqual(codes.toSorted());
  });

  it("is generated from the page's current catalogue", () => {
    expect(Object.keys(english).toSorted()).toEqual(codes.toSorted());
    const differing = codes.flatMap((code) =>
      samples(catalogue[code]!).flatMap((values) => {
        const [written, shown] = [english[code]!(values), wordsOf({ code, values })];
        return written === shown ? [] : [[code, written, shown]];
      }),
    );
    expect(differing).toEqual([]);
  });

  it("has a code that the server uses", () => {
    const written = sources.join("\n");
    expect(
      codes.filter(
        (code) =>
          !written.includes(`"${code}"`) && !written.includes(`\`${code.split("-")[0]}-\${`),
      ),
    ).toEqual([]);
  });

  it("is the same in English as written", () => {
    expect(codedWords("Wrote a.ts", { code: "read", values: { path: "b.ts" } })).toBe("Wrote a.ts");
  });

  describe("in another language", () => {
    beforeAll(async () => {
      vi.stubGlobal("document", { documentElement: {} });
      await startWords("zh", []);
      await loadLaterWords();
    });
    afterAll(async () => {
      await startWords("en", []);
      addWords({ ...first, ...later });
      vi.unstubAllGlobals();
    });

    const describe = ({ text, coded }: ReturnType<typeof sentence>) => codedWords(text, coded);

    it.each([
      [sentence("wrote", { path: "src/App.tsx" }), "已写入 src/App.tsx"],
      [
        sentence("started-on", { command: "npm run dev", port: 5173 }),
        "已在端口 5173 启动 npm run dev",
      ],
      [sentence("used", { count: 1 }), "操作了页面：1 步"],
      [
        sentence("and-more", { what: sentence("template", { template: "react" }), count: 13 }),
        "使用了 react 模板，另有 13 项",
      ],
      [
        sentence("clauses", {
          parts: [sentence("answered", { path: "/", status: 200 }), "own words"],
        }),
        "GET / 响应 200; own words",
      ],
    ])("%j", (one, expected) => expect(describe(one)).toBe(expected));

    it.each([
      ["zh", "zh-CN"],
      ["ja", "ja"],
      ["pt", "pt-BR"],
    ] as const)("is generated for the server's own pages in %s", (language, tag) => {
      const shown = compiled[`./${language}/sentences.json`]!.accounts;
      const written = ACCOUNT_SENTENCES[tag] as Record<string, (values: object) => string>;
      expect(Object.keys(written)).toEqual(Object.keys(shown));
      for (const [code, message] of Object.entries(groups["accounts"]!))
        for (const values of samples(message))
          expect(written[code]!(values)).toBe(formatMessage(shown[code]!, tag, values));
    });

    it("stays in English if there is no code, or one unknown to the page", () => {
      expect(codedWords("As it was logged", undefined)).toBe("As it was logged");
      expect(codedWords("Of a later version", { code: "constructor" })).toBe("Of a later version");
    });
  });
});
