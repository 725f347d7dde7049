import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SAID } from "../words/said-templates.ts";
import { addWords, laterWords, startWords } from "../words/words.ts";
import * as first from "../words/en/first-load.ts";
import * as later from "../words/en/later.ts";
import { saidWords } from "./said-words.ts";

/** What the server is written in: each sentence has to stand there still, piece by piece. */
const sources = Object.values(
  import.meta.glob<string>(
    [
      "../../../../packages/{agent,server,protocol}/src/**/*.ts",
      "!../../../../packages/*/src/**/*.test*.ts",
    ],
    { query: "?raw", import: "default", eager: true },
  ),
).join("\n");

/** Where the server puts a sentence together from pieces. */
const SEAMS =
  / (?=files$|steps?$|is installed|are installed|with $|soon after|at $|and wrote)|(?=, (?:including|at the second|and so did))/;

describe("sentences of the server", () => {
  it("are written in the server as the page reads them", () => {
    const written = sources.replace(/\s*\n\s*/g, " ");
    const gone = Object.values(SAID).filter((sentence) =>
      sentence
        .split(/\{\w+\}/)
        .flatMap((piece) => piece.split(SEAMS))
        .some((piece) => piece.trim() !== "" && !written.includes(piece.trim())),
    );
    expect(gone).toEqual([]);
  });

  it("stay as they are in English", () => {
    expect(saidWords("Wrote src/App.tsx")).toBe("Wrote src/App.tsx");
  });

  describe("in another language", () => {
    beforeAll(async () => {
      vi.stubGlobal("document", { documentElement: {} });
      await startWords("zh", []);
      await laterWords();
    });
    afterAll(async () => {
      await startWords("en", []);
      addWords({ ...first, ...later });
      vi.unstubAllGlobals();
    });

    it.each([
      ["Wrote src/App.tsx", "已写入 src/App.tsx"],
      ["Started npm run dev on port 5173", "已在端口 5173 启动 npm run dev"],
      ["Used the page: 1 step", "操作了页面：1 步"],
      ["A link leads to a page that does not exist.", "有一个链接指向不存在的页面。"],
      ["A GitHub token is written in a file.", "文件中写有密钥：A GitHub token。"],
      [
        "The first page weighs 3.1 MB, and its budget is 2 MB.",
        "首页有 3.1 MB，而它的预算是 2 MB。",
      ],
      ["Used the react template and 13 more", "使用了 react 模板，另有 13 项"],
      [
        "GET / answered 200; the page rendered 12 characters",
        "GET / 响应 200; 页面渲染了 12 个字符",
      ],
      ["page: the page could not be looked at: no", "页面: 无法查看页面：no"],
      [
        "In this turn npm install failed with 1, did not edit a.ts.",
        "本轮中 npm install 失败，退出码 1, 未编辑 a.ts.",
      ],
    ])("%s", (english, said) => expect(saidWords(english)).toBe(said));

    it("stay as they are where the page has no words for them", () => {
      const own = "the model's own title; and so on";
      expect(saidWords(own)).toBe(own);
      const long = `Wrote ${"a".repeat(5_000)}`;
      expect(saidWords(long)).toBe(long);
    });

    it("are said in a moment, whatever stands in them", () => {
      const odd = "GET ".repeat(149);
      expect(saidWords(odd)).toBe(odd);
    });
  });
});
