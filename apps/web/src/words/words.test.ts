import { describe, expect, it } from "vitest";
import {
  compileCatalogue,
  messagesIn,
  valuesOf,
  valueTypes,
  type Catalogue,
} from "../../catalogues/compile.ts";
import { formatMessage } from "./format-message.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import { rawTexts, readTooEarly } from "./raw-texts.test-support.ts";
import { words } from "./words.ts";

/** The translators' files, by language. */
const catalogues = Object.fromEntries(
  (Object.keys(LANGUAGES) as Language[]).map((language) => [language, {} as Catalogue]),
) as Record<Language, Catalogue>;
for (const [file, source] of Object.entries(
  import.meta.glob<string>("./*/*.json", { query: "?raw", import: "default", eager: true }),
)) {
  const [, language, area] = /^\.\/(\w+)\/(\w+)\.json$/.exec(file)!;
  catalogues[language as Language][area!] = JSON.parse(source) as Catalogue;
}
const { en: english, ...others } = catalogues;

/** Texts that need no translation. */
const NO_TEXTS: Record<string, RegExp> = {
  // Never shown: the caller continues without drafts.
  "../ui/draft-storage.ts": /There is no storage\.|The storage does not answer\./,
  // Shown when no catalogue could be loaded.
  "../main.tsx": /Treadle could not load this page/,
  // An example of an address.
  "../models/provider-form.tsx": /localhost:8080/,
  "../prompt/suggestions.ts": /https:/,
  "../publish/example-of.ts": /./,
  "../settings/secrets-section.tsx": /OPENAI_API_KEY|api\.openai\.com/,
  "../files/path-field.tsx": /src\/name\.ts/,
  "../mcp/add-servers.tsx": /^\d+: docs$/,
  // Product names are the same in every language.
  "../preview/devices.ts": /Pixel|Galaxy|Surface/,
  "../settings/about-section.tsx": /: Node$/,
  // An error for developers.
  "../live/live-context.tsx": /used outside FollowProject/,
};

const sources = Object.entries(
  import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
).filter(
  ([file]) =>
    !/\.test(-support)?\.tsx?$/.test(file) &&
    (!file.startsWith("./") || file === "./coded-words.ts"),
);

describe("the texts of the page", () => {
  it("are in a catalogue, and nowhere in the code", () => {
    const raw = sources.flatMap(([file, source]) =>
      rawTexts(file, source)
        .filter((text) => !NO_TEXTS[file]?.test(text))
        .map((text) => `${file}:${text}`),
    );
    expect(raw).toEqual([]);
  });

  it("are not read before they are loaded", () => {
    const early = sources.flatMap(([file, source]) =>
      readTooEarly(file, source).map((place) => `${file}:${place}`),
    );
    expect(early).toEqual([]);
  });

  it("are all used", () => {
    // Only where texts are read: searching all of the code for each of them took seconds.
    const code = sources
      .flatMap(([, source]) => source.match(/words\s*(?:\??\.\s*\w+\s*)+\[?/g) ?? [])
      .join("\n");
    // `words.files.states[state]` uses every entry of `states`.
    const isUsed = (name: string): boolean => {
      const parts = name.split(".");
      return parts.some((_, index) => {
        if (index === 0) return new RegExp(`words\\s*\\.\\s*${parts[0]}\\[`).test(code);
        const path = parts.slice(0, index + 1).join("\\s*\\??\\.\\s*");
        const boundary = index < parts.length - 1 ? "(?!\\s*\\??\\.\\s*\\w)" : "";
        return new RegExp(`words\\s*\\.\\s*${path}\\b${boundary}`).test(code);
      });
    };
    expect(
      messagesIn(english)
        .map(([name]) => name)
        .filter((name) => !isUsed(name)),
    ).toEqual([]);
  });

  it("are reported where they are missing from the code's own words", () => {
    const source = `const a = <p title="Two words">Hello there {ok ? "yes" : words.a.b}</p>;
      setProblem("Nothing was kept."); const c = { className: "flex gap-2", what: "for all" };
      throw new Error(\`\${path} is gone now.\`); const id = \`\${of} a \${b}\`;`;
    expect(rawTexts("a.tsx", source)).toEqual([
      "1: Two words",
      "1: Hello there",
      "1: yes",
      "2: Nothing was kept.",
      "2: for all",
      "3: is gone now.",
    ]);
    expect(readTooEarly("a.ts", "const A = { a: words.a.b }; const f = () => words.a.b;")).toEqual([
      "1: words.a",
    ]);
  });

  it("show the number when there are more than are listed", () => {
    for (const [language, { editor }] of Object.entries(catalogues)) {
      const { foundCount, matchOf } = compileCatalogue(editor as Catalogue);
      const format = (message: typeof foundCount, values: Record<string, unknown>) =>
        formatMessage(message as string, LANGUAGES[language as Language].tag, values);
      const lines = format(foundCount, { lines: 2_000, files: 3, more: true });
      expect(lines).toMatch(/2[.,]?000\+/);
      expect(format(matchOf, { at: 0, all: 999, more: true })).toContain("999+");
    }
  });

  it("use the language's plural forms", () => {
    expect(words.changes.files({ amount: 1 })).toBe("1 file");
    expect(words.changes.files({ amount: 1_234 })).toBe("1,234 files");
  });

  it("have up-to-date types of their values", async () => {
    const { default: written } = await import("./message-values.ts?raw");
    // Ignores the formatter's line breaks and final separators.
    const bare = (source: string) => source.replace(/\s/g, "").replaceAll(";}", "}");
    const sorted = Object.entries(english)
      .filter(([area]) => area !== "sentences")
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect(bare(written)).toBe(bare(valueTypes(Object.fromEntries(sorted))));
  });

  for (const [language, texts] of Object.entries(others)) {
    it(`are complete in ${language}`, () => {
      const names = (catalogue: Catalogue) => messagesIn(catalogue).map(([name]) => name);
      expect(names(texts).toSorted()).toEqual(names(english).toSorted());
      const given = new Map(messagesIn(texts));
      const otherValues = messagesIn(english).filter(
        ([name, message]) =>
          [...valuesOf(message).keys()].join() !== [...valuesOf(given.get(name)!).keys()].join(),
      );
      expect(otherValues).toEqual([]);
      const empty = messagesIn(texts).filter(([, text]) => text === "");
      expect(empty).toEqual(messagesIn(english).filter(([, text]) => text === ""));
    });
  }
});
