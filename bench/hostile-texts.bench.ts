/**
 * How long the server's event loop is blocked while it processes other people's text: Markdown and
 * code of a shared conversation, its redaction, a fetched page, a file's outline, a skill. Aim: 50
 * ms at most, whatever the text. On a shared machine the loop is also delayed because it gets no
 * processor, so the aim applies to the processor time of the server's thread for the whole text:
 * the loop itself cannot be blocked longer than that. Also printed: the longest observed delay, and
 * the time until the text was shown. The exit status is 1 if the aim was missed.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const AIM_MS = 50;
/** Maximum characters of each text, just below the limit for Markdown. */
const CHARS = 59_000;

const built = (path: string) => import(new URL(`../packages/${path}`, import.meta.url).href);
const { drawnTexts, keysInTexts, redactedTexts } = await built(
  "publish/dist/share/prepare-texts.js",
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

/** The operation for each kind of text. */
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

// The threads and their modules are loaded before the measurements.
await drawnTexts("p", [{ kind: "markdown", text: "# a\n\n```ts\nb\n```" }]);
let missed = 0;
for (const [name, work] of cases) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const start = performance.now();
  const cpu = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(cpu);
  const time = performance.now() - start;
  delay.disable();
  // The histogram's resolution is part of the measured value.
  const most = Math.max(0, delay.max / 1e6 - 10);
  const taken = (user + system) / 1e3;
  if (taken > AIM_MS) missed++;
  const ms = (value: number, width: number) => `${value.toFixed(0).padStart(width)} ms`;
  console.log(
    `${name.padEnd(28)} took ${ms(taken, 4)} of the server's thread · stood still ${ms(most, 4)} · shown after ${ms(time, 5)}`,
  );
}
console.log(`\n${missed} of ${cases.length} took more than ${AIM_MS} ms of the server's thread`);
process.exit(missed === 0 ? 0 : 1);
