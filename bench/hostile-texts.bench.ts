/**
 * How long the server's event loop stands still while the text of others is read: Markdown and code of a shared
 * conversation, what is redacted in it, a fetched page, a file's outline, a skill. Aim: 50 ms at most, whatever the text.
 * Beside each: the time until it was shown. The exit status is 1 if the aim was missed.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const AIM_MS = 50;
/** Characters of each text, just below the limit for Markdown. */
const CHARS = 59_000;

const built = (path: string) => import(new URL(`../packages/${path}`, import.meta.url).href);
const { drawnTexts, keysInTexts, redactedTexts } = await built(
  "server/dist/share/prepare-texts.js",
);
const { pageMarkdown } = await built("agent/dist/fetch/page-markdown.js");
const { readOutline } = await built("agent/dist/tools/outlines/read-outline.js");
const { parseSkill } = await built("agent/dist/context/skills/parse-skill.js");

const filled = (piece: string) => piece.repeat(Math.ceil(CHARS / piece.length)).slice(0, CHARS);
const MARKDOWN = [
  "**_* ",
  "> ",
  "> - ",
  "[",
  "[a](",
  "![",
  "_a__a",
  "*a**a",
  "[a]:b\n",
  "<!--a",
  "<a b=",
  "<http://a",
  "a@",
  "~~a~ ",
  "&a",
  "\\",
  "a\n-\n",
  "a|b\n-|-\n",
  "[x][y]",
  "*_`[<!&\\|~", // prettier-ignore
];

/** What is done with a text, by what it is. */
const cases: [name: string, work: () => Promise<unknown>][] = [
  ...MARKDOWN.map((piece): [string, () => Promise<unknown>] => [
    `Markdown ${JSON.stringify(piece)}`,
    () => drawnTexts("p", [{ kind: "markdown", text: filled(piece) }]),
  ]),
  ["code of <", () => drawnTexts("p", [{ kind: "code", text: "<".repeat(20_000), language: "html" }])], // prettier-ignore
  ["code of {", () => drawnTexts("p", [{ kind: "code", text: "{".repeat(20_000), language: "ts" }])], // prettier-ignore
  ["keys in base64", () => keysInTexts("p", ["ab+/".repeat(50_000)])],
  ["redacting joints", () => redactedTexts("p", ['"a" + '.repeat(30_000)], ["hunter2hunter2"])],
  ["a page of <div>", () => pageMarkdown("text/html", Buffer.from("<div>".repeat(40_000)))],
  ["an outline of {{[[<a", () => readOutline("a.tsx", "{{[[<a ".repeat(20_000))],
  ["a skill of ?", () => parseSkill(`---\n${"? ".repeat(3_900)}\n---\n`, "a")],
];

// The threads and their modules are loaded before anything is measured.
await drawnTexts("p", [{ kind: "markdown", text: "# a\n\n```ts\nb\n```" }]);
let missed = 0;
for (const [name, work] of cases) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  await work();
  const time = performance.now() - start;
  delay.disable();
  // The resolution itself is part of what is measured.
  const most = Math.max(0, delay.max / 1e6 - 1);
  if (most > AIM_MS) missed++;
  console.log(`${name.padEnd(28)} stood still ${most.toFixed(0).padStart(4)} ms · shown after ${time.toFixed(0).padStart(5)} ms`); // prettier-ignore
}
console.log(`\n${missed} of ${cases.length} held the loop for more than ${AIM_MS} ms`);
process.exit(missed === 0 ? 0 : 1);
