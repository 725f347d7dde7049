import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect, it } from "vitest";
import { planChange, type Change } from "./plan-change.ts";
import { readPickMessage, type Picked } from "./picked.ts";
import { applyEdit } from "./source-element.ts";

const APP = `export function App({ t, done }) {
  return (
    <main className="page" style={{ color: "red", padding: t }}>
      <h1 className={\`big \${t} wide\`}>Words &amp; more</h1>
      <p>{done ? "Yes" : "No"}</p>
      <p>{t("x")}</p>
      <p>Hello {t} there</p>
      <b className={t}>Bold</b>
      <i>Line <u>under</u></i>
      <em className={cn("a b", t)}>{"It's"}</em>
      <Card title="Due today" />
      <Button>Save it</Button>
    </main>
  );
}
`;
const files: Record<string, string> = {
  "src/App.tsx": APP,
  "src/button.tsx": `export const Button = ({ children }) => <button className="b">{children}</button>;\n`,
  "index.html": `<!doctype html>\n<html><head><style>.lead { color: red; }</style></head>\n<body>\n  <p class="lead  x">One &amp; two</p>\n  <ul><li>a<li>b</ul>\n</body></html>\n`,
  "src/Card.vue": `<script setup>const a = 1</script>\n<template>\n  <div class="card"><h2 :class="a">Title</h2><p>{{ a }}</p><Foo /><b>Last</b></div>\n</template>\n<style scoped>.card { color: red }</style>\n`,
  "src/Row.svelte": `<li class="row">\n  {#if done}<b>Done</b>{/if}\n</li>\n`,
  "src/index.css": `.page { padding: 4px 8px !important; background: #fff; }\nh1, .big { font-size: 2rem }\n@media (min-width: 1px) { .a { color: red } }\n.a { color: blue }\n`,
};

const picked = (more: object): Picked => {
  const message = readPickMessage({
    type: "treadle:picked",
    element: { tag: "p", path: [], from: { kind: "react" }, styles: {}, ...more },
  });
  if (message?.type !== "picked" || !message.element) throw new Error("not picked");
  return message.element;
};
const react = (line: number, column: number, more: object) =>
  picked({ from: { kind: "react", at: `src/App.tsx:${line}:${column}` }, ...more });

/** The line that differs afterwards, or why the change was refused. */
async function after(element: Picked, change: Change, tailwind = false): Promise<unknown> {
  const planned = await planChange(element, change, {
    files: Object.keys(files).map((path) => toProjectPath(path)),
    tailwind,
    read: async (path) =>
      ({ path, text: files[path]!, version: "1", size: 0, binary: false }) as never,
  });
  if ("refused" in planned) return planned.refused;
  const [was, is] = [planned.before, applyEdit(planned.before, planned.edit)].map((text) =>
    text.split("\n"),
  );
  expect(is!.length).toBe(was!.length);
  const changed = is!.flatMap((line, index) => (line === was![index] ? [] : [line.trim()]));
  expect(changed.length).toBeLessThanOrEqual(1);
  return changed[0];
}
const words = (text: string): Change => ({ kind: "words", words: text });
const h1 = react(4, 7, { tag: "h1", text: "Words & more", classes: "big dark wide" });

describe("text in JSX", () => {
  it("that is literal is replaced, and escaped so that it means the same", async () => {
    expect(await after(h1, words("a < b & {c}"))).toBe(
      "<h1 className={`big ${t} wide`}>a &lt; b &amp; &#123;c&#125;</h1>",
    );
    expect(await after(react(10, 7, { tag: "em", text: "It's" }), words('say "no"'))).toBe(
      `<em className={cn("a b", t)}>{"say \\"no\\""}</em>`,
    );
  });

  it("of a condition is changed in the displayed branch", async () => {
    expect(await after(react(5, 7, { text: "No" }), words("Not yet"))).toBe(
      `<p>{done ? "Yes" : "Not yet"}</p>`,
    );
  });

  it("is not changed if it is ambiguous, and the reason is given", async () => {
    expect(await after(react(6, 7, { text: "x" }), words("y"))).toEqual({
      why: "expression",
      code: `{t("x")}`,
    });
    expect(await after(react(7, 7, { text: "Hello you there" }), words("y"))).toEqual({
      why: "mixed",
    });
    expect(await after(react(8, 7, { tag: "b", text: "Other" }), words("y"))).toEqual({
      why: "differs",
    });
    expect(await after(react(8, 7, { tag: "h6", text: "Bold" }), words("y"))).toEqual({
      why: "nowhere",
    });
    expect(await after(picked({ text: "Bold" }), words("y"))).toEqual({ why: "nowhere" });
  });

  it("beside another element is changed alone", async () => {
    expect(await after(react(9, 7, { tag: "i", text: "Line" }), words("Row"))).toBe(
      "<i>Row <u>under</u></i>",
    );
  });

  it("that was passed to a component is changed where it is used", async () => {
    const from = (within: string) => ({ kind: "react", at: "src/button.tsx:1:42", within });
    const button = picked({
      tag: "button",
      classes: "b",
      text: "Save it",
      from: from("src/App.tsx:12:7"),
    });
    expect(await after(button, words("Keep it"))).toBe("<Button>Keep it</Button>");
    const titled = picked({
      tag: "button",
      classes: "b",
      text: "Due today",
      from: from("src/App.tsx:11:7"),
    });
    expect(await after(titled, words('Due "now"'))).toBe(`<Card title="Due &quot;now&quot;" />`);
  });

  it("a source map that is some characters off is accepted if the line has one such element", async () => {
    expect(await after(react(8, 9, { tag: "b", text: "Bold" }), words("B"))).toBe(
      "<b className={t}>B</b>",
    );
  });
});

describe("classes", () => {
  const classes = (remove: string[], add: string[]): Change => ({ kind: "classes", remove, add });
  it("are replaced, removed and added in place, and the rest stays", async () => {
    expect(await after(h1, classes(["wide"], ["narrow"]))).toBe(
      "<h1 className={`big ${t} narrow`}>Words &amp; more</h1>",
    );
    expect(await after(h1, classes(["wide"], []))).toBe(
      "<h1 className={`big ${t}`}>Words &amp; more</h1>",
    );
    expect(await after(react(10, 7, { tag: "em" }), classes([], ["c"]))).toBe(
      `<em className={cn("a b c", t)}>{"It's"}</em>`,
    );
    expect(await after(react(9, 7, { tag: "i" }), classes([], ["c", "d"]))).toBe(
      `<i className="c d">Line <u>under</u></i>`,
    );
  });

  it("from a variable are not changed", async () => {
    expect(await after(react(8, 7, { tag: "b" }), classes([], ["c"]))).toEqual({
      why: "expression",
      code: "{t}",
    });
    expect(await after(h1, classes(["dark"], []))).toEqual({ why: "expression", code: "dark" });
  });
});

describe("the style", () => {
  const set = (property: "color" | "padding" | "background-color", value: string, alone = false) =>
    ({ kind: "property", property, value, alone }) as const;
  const main = (styles: object) => react(3, 5, { tag: "main", classes: "page", styles });

  it("is changed in the rule that sets it", async () => {
    const by = {
      file: "/home/project/src/index.css",
      selector: ".page",
      value: "4px 8px",
      reach: 1,
    };
    expect(await after(main({ padding: { by } }), set("padding", "12px"))).toBe(
      ".page { padding: 12px !important; background: #fff; }",
    );
    expect(await after(main({ "background-color": { by } }), set("background-color", "#000"))).toBe(
      ".page { padding: 4px 8px !important; background: #000; }",
    );
  });

  it("is changed on the element alone if the rule is ambiguous, or the user chooses so", async () => {
    const by = { file: "/src/index.css", selector: ".a", value: "blue", reach: 1 };
    const em = react(10, 7, { tag: "em", classes: "a b", styles: { color: { by } } });
    expect(await after(em, set("color", "#123456"))).toBe(
      `<em style={{ color: "#123456" }} className={cn("a b", t)}>{"It's"}</em>`,
    );
    const here = { here: true, value: "red" };
    expect(await after(main({ color: { by: here } }), set("color", "blue"))).toBe(
      `<main className="page" style={{ color: "blue", padding: t }}>`,
    );
    expect(await after(main({}), set("padding", "1px"))).toEqual({ why: "expression", code: "t" });
  });

  it("is a class if the project uses such classes", async () => {
    const em = react(10, 7, { tag: "em", classes: "a b dark" });
    expect(await after(em, set("padding", "8px 16px"), true)).toBe(
      `<em className={cn("a b py-2 px-4", t)}>{"It's"}</em>`,
    );
  });
});

describe("a document, and templates of Vue and Svelte", () => {
  const path = (...steps: [string, number][]) => ({
    from: { kind: "html", at: "/" },
    path: [["html", 0], ["body", 0], ...steps],
  });
  it("are changed in the same way", async () => {
    const lead = picked({ ...path(["p", 0]), text: "One & two", classes: "lead x" });
    expect(await after(lead, words("1 < 2"))).toBe(`<p class="lead  x">1 &lt; 2</p>`);
    expect(await after(lead, { kind: "classes", remove: ["lead"], add: ["y"] })).toBe(
      `<p class="y  x">One &amp; two</p>`,
    );
    expect(
      await after(lead, { kind: "property", property: "color", value: "blue", alone: true }),
    ).toBe(`<p style="color: blue" class="lead  x">One &amp; two</p>`);
    const item = picked({ ...path(["ul", 0], ["li", 1]), tag: "li", text: "b" });
    expect(await after(item, words("c"))).toBe("<ul><li>a<li>c</ul>");
  });

  it("a rule in the document's own style sheet is changed there", async () => {
    const by = { inline: 0, selector: ".lead", value: "red", reach: 1 };
    const lead = picked({ ...path(["p", 0]), classes: "lead x", styles: { color: { by } } });
    expect(await after(lead, { kind: "property", property: "color", value: "blue" })).toBe(
      "<html><head><style>.lead { color: blue; }</style></head>",
    );
  });

  it("an element of Vue is found by its content; bound values are not changed", async () => {
    const vue = (more: object) => picked({ from: { kind: "vue", at: "src/Card.vue" }, ...more });
    expect(await after(vue({ tag: "h2", text: "Title", classes: "1" }), words("{{ x }}"))).toBe(
      `<div class="card"><h2 :class="a">&#123;&#123; x &#125;&#125;</h2><p>{{ a }}</p><Foo /><b>Last</b></div>`,
    );
    expect(await after(vue({ text: "1" }), words("2"))).toEqual({
      why: "expression",
      code: "{{ a }}",
    });
    const by = {
      file: "/home/project/src/Card.vue?vue&type=style&index=0&scoped=1&lang.css",
      selector: ".card[data-v-12ab]",
      value: "red",
      reach: 1,
    };
    const card = vue({ tag: "div", classes: "card", styles: { color: { by } } });
    expect(await after(card, { kind: "property", property: "color", value: "blue" })).toBe(
      "<style scoped>.card { color: blue }</style>",
    );
  });

  it("an element of Svelte is found by its position", async () => {
    const done = picked({
      tag: "b",
      text: "Done",
      from: { kind: "svelte", at: "src/Row.svelte:2:13" },
    });
    expect(await after(done, words("Ready"))).toBe("{#if done}<b>Ready</b>{/if}");
  });
});

describe("a page's report of the picked element", () => {
  const evil = `export default () => <h1 className="a">Hello</h1>;\nrun();\n`;
  const hostile: Record<string, string> = {
    ".claude/hooks/check.js": evil,
    ".vscode/x.tsx": evil,
    "lint-staged.config.js": evil,
    ".github/index.html": "<h1>Hello</h1><style>h1 { color: red }</style>",
    ".husky/x.css": "h1 { color: red }",
  };
  const sources = {
    files: Object.keys(hostile).map((path) => toProjectPath(path)),
    tailwind: false,
    read: async (path: string) =>
      ({ path, text: hostile[path]!, version: "1", size: 0, binary: false }) as never,
  };

  it("approves no file that takes effect outside the sandbox (A86)", async () => {
    for (const path of Object.keys(hostile))
      for (const change of [
        words("By hand"),
        { kind: "classes", add: ["b"] },
        { kind: "property", property: "color", value: "blue" },
      ] satisfies Change[]) {
        const by = { file: path, selector: "h1", value: "red", reach: 1 };
        const element = picked({
          tag: "h1",
          classes: "a",
          text: "Hello",
          from: { kind: "react", at: `${path}:1:22` },
          styles: { color: { value: "red", by } },
        });
        expect(await planChange(element, change, sources)).toEqual({ refused: expect.anything() });
      }
  });

  it("is rejected if it is invalid", async () => {
    const element = picked({ tag: "h1", from: { kind: "html", at: "/%" }, path: [["h1", 0]] });
    expect(await planChange(element, words("x"), sources)).toEqual({ refused: { why: "nowhere" } });
  });
});

/** Long enough that quadratic parsing exceeds the test's time limit. */
const LONG_TEXT_CHARS = 400_000;

describe("a file made to take forever to parse", () => {
  it.each([
    ["styles that never close", "<style>".repeat(LONG_TEXT_CHARS / 7)],
    ["blanks in a style", `<p style="color: a${" ".repeat(LONG_TEXT_CHARS)}b">x</p>`],
  ])("is parsed in linear time: %s (A78)", async (_, text) => {
    const path = toProjectPath("index.html");
    const by = { inline: 0, selector: "p", value: "red", reach: 1 };
    const element = picked({
      from: { kind: "html", at: "/" },
      path: [["p", 0]],
      styles: { color: { value: "red", by } },
    });
    const planned = await planChange(
      element,
      { kind: "property", property: "color", value: "blue" },
      {
        files: [path],
        tailwind: false,
        read: async () => ({ path, text, version: "1", size: 0, binary: false }) as never,
      },
    );
    if ("refused" in planned) expect(planned.refused).toEqual({ why: "nowhere" });
    else expect(applyEdit(planned.before, planned.edit)).toBe('<p style="color: blue">x</p>');
  });
});
