/**
 * Kills or freezes any program that the server has started, at a moment of a run that the seed
 * chooses: the run must still end, and the next one must work normally. `node e2e/soak/children.ts
 * [MINUTES] [FIRST_SEED]`. Needs a build. Prints what failed, and with which seed.
 */
import { setTimeout as wait } from "node:timers/promises";
import { createScriptedModel, type Part, type Script } from "@treadle/scripted-model";
import { numbersOf } from "../support/numbers-of.ts";
import { descendants } from "../support/processes.ts";
import { talkTo } from "../support/talk.ts";
import { scriptedBy, startTreadle } from "../support/treadle.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
/** Approximate duration of a run, in milliseconds. */
const SPAN = 4_500;
/** Number of runs of one project. */
const OF_ONE_PROJECT = 10;

const print = (text: string) => process.stdout.write(`${text}\n`);
const call = (tool: string, input: Record<string, unknown>): Part => ({ type: "call", tool, input }); // prettier-ignore
const SERVER = `
const { createServer } = require("node:http");
const { readFileSync } = require("node:fs");
createServer((_, answer) =>
  answer.setHeader("content-type", "text/html").end(readFileSync("page.html")),
).listen(3000);
`;
const page = (name: string) =>
  `<!doctype html><html lang="en"><title>${name}</title><h1>${name}</h1><button onclick="this.textContent='Pressed'">Press</button></html>`;
const when = (subject: "message" | "result", pattern: string) => [
  { type: "text", subject, pattern, not: false } as const,
];
/** Number of different pages: writing the same page again would change nothing. */
const NAMES = 60;
const script: Script = {
  name: "children",
  steps: [
    {
      name: "Look",
      when: when("result", "step one of it"),
      parts: [call("search_files", { pattern: "Press" }), call("finish", { done: "It stands." })],
    },
    ...Array.from({ length: NAMES }, (_, number) => `turn ${number}.`).map((name) => ({
      name,
      when: when("message", name),
      parts: [
        call("write_file", { path: "server.cjs", content: SERVER }),
        call("write_file", { path: "page.html", content: page(name) }),
        call("run_command", { command: "sleep 0.3; git status | head -1; echo step one of it" }),
        call("start_server", { command: "node server.cjs" }),
      ],
    })),
  ],
  otherwise: [call("finish", { done: "It stands." })],
};

const model = await createScriptedModel({
  script,
  pace: { charactersPerSecond: 4_000, firstMs: 50 },
});
const treadle = await startTreadle({ env: scriptedBy(model) });
let project = "";
const { sendAndWait: talk } = talkTo(
  () => treadle,
  () => project,
);

let turns = 0;
async function turn(): Promise<string> {
  const { end: ended } = await talk(`A turn ${turns++ % NAMES}.`);
  const why = ended.error ? ` (${ended.error.code}: ${ended.error.message})` : "";
  return `${ended.outcome}${why}, ${ended.verdict ?? "no verdict"}`;
}

let seed = first;
let failed = 0;
for (; performance.now() < end; seed++) {
  const random = numbersOf(seed);
  if (project === "" || (seed - first) % OF_ONE_PROJECT === 0) {
    const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
    project = ((await made.json()) as { id: string }).id;
  }
  const began = performance.now();
  const going = turn().catch((error: Error) => error.message);
  await wait(random(SPAN));
  const all = descendants(treadle.pid);
  const victim = all[random(all.length)];
  const signal = random(10) < 6 ? "SIGKILL" : "SIGSTOP";
  let name = "nobody";
  if (victim) {
    name = victim.words.join(" ").slice(0, 90);
    try {
      process.kill(victim.pid, signal);
    } catch {
      name += " (gone)";
    }
  }
  const hurt = `${await going}, ${((performance.now() - began) / 1000).toFixed(1)} s`;
  const then = performance.now();
  const again = () => turn().catch((error: Error) => error.message);
  let next = await again();
  // It was killed in between, and the second run started before that was noticed.
  if (next.startsWith("error (workspace")) next = await again();
  const took = ((performance.now() - then) / 1000).toFixed(1);
  if (victim && signal === "SIGSTOP")
    try {
      process.kill(victim.pid, "SIGKILL");
    } catch {
      // Whoever waited for it has killed it.
    }
  const good = next === "done, runs";
  if (!good) failed++;
  print(
    `${good ? "ok   " : "WRONG"} seed ${seed} ${signal} ${name}: ${hurt}; next ${next}, ${took} s`,
  );
}
print(`${seed - first} seeds, ${first} to ${seed - 1}, ${failed} failed`);
await treadle.stop();
await model.close();
process.exit(failed === 0 ? 0 : 1);
