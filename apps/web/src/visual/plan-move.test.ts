import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect, it } from "vitest";
import { joinEdits } from "./join-edits.ts";
import { planChange } from "./plan-change.ts";
import { planMove } from "./plan-move.ts";
import { readPickMessage, type Picked } from "./picked.ts";
import { applyEdit } from "./source-element.ts";

const APP = `export function App({ names, done }) {
  return (
    <main>
      <h1 className="big">One</h1>
      <p>Two</p>
      <Card title="Three" />
      <Card title="Four" />
      {done && <b>Done</b>}
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <i>a</i> and <u>b</u>
    </main>
  );
}
`;
const files: Record<string, string> = {
  "src/App.tsx": APP,
  "src/card.tsx": `export const Card = ({ title }) => <section>{title}</section>;\n`,
  "index.html": `<!doctype html>\n<html><body>\n  <a>1</a>\n  <a>2</a>\n  <a>3</a>\n</body></html>\n`,
  "src/List.vue": `<template>\n  <div><p v-for="a in b">{{ a }}</p><h2>Two</h2></div>\n</template>\n`,
};
const sources = {
  files: Object.keys(files).map((path) => toProjectPath(path)),
  tailwind: false,
  read: async (path: string) =>
    ({ path, text: files[path]!, version: "1", size: 0, binary: false }) as never,
};

const picked = (more: object): Picked => {
  const message = readPickMessage({
    type: "treadle:picked",
    element: { tag: "p", path: [], from: { kind: "react" }, styles: {}, ...more },
  });
  if (message?.type !== "picked" || !message.element) throw new Error("not picked");
  return message.element;
};
const app = (line: number, column: number, more: object) =>
  picked({ from: { kind: "react", at: `src/App.tsx:${line}:${column}` }, ...more });
const card = (line: number) =>
  picked({
    tag: "section",
    from: { kind: "react", at: "src/card.tsx:1:36", within: `src/App.tsx:${line}:7` },
  });
const h1 = app(4, 7, { tag: "h1", text: "One", classes: "big" });
const p = app(5, 7, { tag: "p", text: "Two" });

async function moved(element: Picked, beside: Picked, after: boolean): Promise<unknown> {
  const planned = await planMove({ element, beside, after }, sources);
  if ("refused" in planned) return planned.refused.why;
  return applyEdit(planned.before, planned.edit);
}

describe("an element that was dragged", () => {
  it("moves in the source among the elements beside it, and white space stays", async () => {
    const swapped = APP.replace(
      `<h1 className="big">One</h1>\n      <p>Two</p>`,
      `<p>Two</p>\n      <h1 className="big">One</h1>`,
    );
    expect(await moved(h1, p, true)).toBe(swapped);
    expect(await moved(p, h1, false)).toBe(swapped);
    expect(await moved(h1, p, false)).toBe(APP);
  });

  it("moves a whole component at the place of its use", async () => {
    const cards = `<Card title="Three" />\n      <Card title="Four" />`;
    expect(await moved(card(7), card(6), false)).toBe(
      APP.replace(cards, `<Card title="Four" />\n      <Card title="Three" />`),
    );
    expect(await moved(card(7), h1, false)).toMatch(/<Card title="Four" \/>\n +<h1/);
  });

  it("moves in a document by its path", async () => {
    const link = (nth: number) =>
      picked({
        tag: "a",
        from: { kind: "html", at: "/" },
        path: [["html", 0], ["body", 0], ["a", nth]], // prettier-ignore
      });
    expect(await moved(link(2), link(0), false)).toContain(
      "<a>3</a>\n  <a>1</a>\n  <a>2</a>\n</body>",
    );
  });

  it("is not moved if a list or a condition creates it, or text stands between, with the reason", async () => {
    const item = app(11, 11, { tag: "li", text: "Ada" });
    expect(await moved(item, item, true)).toBe("list");
    const condition = app(8, 16, { tag: "b", text: "Done" });
    expect(await moved(condition, p, true)).toBe("apart");
    const [a, b] = [app(14, 7, { tag: "i", text: "a" }), app(14, 20, { tag: "u", text: "b" })];
    expect(await moved(a, b, true)).toBe("between");
    const inVue = (tag: string, text: string) =>
      picked({ tag, text, from: { kind: "vue", at: "src/List.vue" } });
    expect(await moved(inVue("p", "x"), inVue("h2", "Two"), true)).toBe("apart");
  });
});

describe("a change of several elements", () => {
  const colour = async (element: Picked) => {
    const change = { kind: "property", property: "color", value: "red" } as const;
    const planned = await planChange(element, change, sources);
    if ("refused" in planned) throw new Error(planned.refused.why);
    return planned;
  };

  it("is one edit of their file", async () => {
    const joined = joinEdits([await colour(p), await colour(h1)]);
    if ("refused" in joined) throw new Error(joined.refused.why);
    expect(joined.edits).toHaveLength(1);
    const [{ before, edit } = { before: "", edit: { from: 0, to: 0, insert: "" } }] = joined.edits;
    expect(applyEdit(before, edit)).toBe(
      APP.replace("<h1 className", `<h1 style={{ color: "red" }} className`).replace(
        "<p>Two",
        `<p style={{ color: "red" }}>Two`,
      ),
    );
  });

  it("is made once where both are written once, and refused where they differ", async () => {
    const one = await colour(p);
    expect(joinEdits([one, one])).toEqual({ edits: [one] });
    const other = { ...one, edit: { ...one.edit, insert: "x" } };
    expect(joinEdits([one, other])).toEqual({ refused: { why: "overlap" } });
  });
});
