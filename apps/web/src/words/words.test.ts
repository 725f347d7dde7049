import { describe, expect, it } from "vitest";
import * as enFirst from "./en/first-load.ts";
import * as enLater from "./en/later.ts";
import * as jaFirst from "./ja/first-load.ts";
import * as jaLater from "./ja/later.ts";
import * as ptFirst from "./pt/first-load.ts";
import * as ptLater from "./pt/later.ts";
import { rawTexts, readTooEarly } from "./raw-texts.test-support.ts";
import * as zhFirst from "./zh/first-load.ts";
import * as zhLater from "./zh/later.ts";

const english = { ...enFirst, ...enLater };
const others = {
  zh: { ...zhFirst, ...zhLater },
  ja: { ...jaFirst, ...jaLater },
  pt: { ...ptFirst, ...ptLater },
};

/** What looks like a text and is none that the page's own language has to say. */
const NO_TEXTS: Record<string, RegExp> = {
  // Never shown: whoever asked goes on without its drafts.
  "../ui/kept-drafts.ts": /There is no storage\.|The storage does not answer\./,
  // Said where no catalogue could be loaded.
  "../main.tsx": /Treadle could not load this page/,
  // An example of an address.
  "../models/provider-form.tsx": /localhost:8080/,
  "../prompt/suggestions.ts": /https:/,
  "../publish/example-of.ts": /./,
  "../settings/secrets-section.tsx": /OPENAI_API_KEY|api\.openai\.com/,
  "../files/path-field.tsx": /src\/name\.ts/,
  "../mcp/add-servers.tsx": /^\d+: docs$/,
  // What is sold under a name has it everywhere.
  "../preview/devices.ts": /Pixel|Galaxy|Surface/,
  "../settings/about-section.tsx": /: Node$/,
  // Told to whoever writes the page.
  "../live/live-context.tsx": /used outside FollowProject/,
};

const sources = Object.entries(
  import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
).filter(([file]) => !/\.test(-support)?\.tsx?$/.test(file) && !file.startsWith("./"));

/** `files.rename` → its text, for every text of a catalogue. */
function leaves(catalogue: object, under = ""): [string, unknown][] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === "object" && value !== null
      ? leaves(value, `${under}${key}.`)
      : [[under + key, value] satisfies [string, unknown]],
  );
}

describe("the texts of the page", () => {
  it("stand in a catalogue, and nowhere in the code", () => {
    const raw = sources.flatMap(([file, source]) =>
      rawTexts(file, source)
        .filter((text) => !NO_TEXTS[file]?.test(text))
        .map((text) => `${file}:${text}`),
    );
    expect(raw).toEqual([]);
  });

  it("are not read before they have come", () => {
    const early = sources.flatMap(([file, source]) =>
      readTooEarly(file, source).map((place) => `${file}:${place}`),
    );
    expect(early).toEqual([]);
  });

  it("are all shown somewhere", () => {
    const code = sources.map(([, source]) => source).join("\n");
    // `words.files.states[state]` shows all that stand in it.
    const isUsed = (name: string): boolean => {
      const parts = name.split(".");
      return parts.some((_, index) => {
        if (index === 0) return new RegExp(`words\\s*\\.\\s*${parts[0]}\\[`).test(code);
        const path = parts.slice(0, index + 1).join("\\s*\\??\\.\\s*");
        const whole = index < parts.length - 1 ? "(?!\\s*\\??\\.\\s*\\w)" : "";
        return new RegExp(`words\\s*\\.\\s*${path}\\b${whole}`).test(code);
      });
    };
    expect(
      leaves(english)
        .map(([name]) => name)
        .filter((name) => !isUsed(name)),
    ).toEqual([]);
  });

  it("are found where they are missing from the code's own words", () => {
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

  it("say that there are more than they count beside the number", () => {
    for (const { editor } of [english, ...Object.values(others)]) {
      expect(editor.foundCount(2_000, 3, true)).toMatch(/2[.,]?000\+/);
      expect(editor.matchOf(0, 999, true)).toContain("999+");
    }
  });

  for (const [language, texts] of Object.entries(others)) {
    it(`are complete in ${language}`, () => {
      const given = new Map(leaves(texts));
      const names = (catalogue: object) => leaves(catalogue).map(([name]) => name);
      expect(names(texts).toSorted()).toEqual(names(english).toSorted());
      const otherKind = leaves(english).filter(
        ([name, text]) => typeof text !== typeof given.get(name),
      );
      expect(otherKind).toEqual([]);
      const empty = leaves(texts).filter(([, text]) => text === "");
      expect(empty).toEqual(leaves(english).filter(([, text]) => text === ""));
    });
  }
});
