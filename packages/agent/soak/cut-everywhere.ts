/**
 * Cuts a turn's stream at every byte, on three provider wires, and stops it at random events (F2, F28):
 * `node packages/agent/soak/cut-everywhere.ts [MINUTES] [FIRST_SEED]`, ten minutes by default. Needs a build. Prints the
 * seeds it used and what went wrong at which byte.
 */
import { createScriptedModel, type Part } from "@treadle/scripted-model";
import { createModelRegistry } from "../src/models/registry.ts";
import { orderProblems } from "../src/testing/check-order.test-support.ts";
import { createFakeClock } from "../src/testing/fake-clock.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../src/testing/try-run.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
const BYTES = 4_500;
const VERSIONS = ["<p>old</p>", "<p>Grüße 🙂</p>", "<p>second</p>"];
const WIRES = ["anthropic", "openai", "openai-compatible"] as const;

const write = (content = ""): Part => ({
  type: "call",
  tool: "write_file",
  input: { path: "index.html", content },
});

async function cut(wire: (typeof WIRES)[number], at: number, seed: number): Promise<string[]> {
  const parts: Part[] = [
    { type: "say", text: "First words." },
    write(VERSIONS[1]),
    write(VERSIONS[2]),
    { type: "fault", fault: { kind: seed % 2 === 0 ? "reset" : "cut", afterBytes: at } },
  ];
  const upstream = await createScriptedModel({
    script: { name: "soak", steps: [{ name: "cut", when: [], parts }] },
    chunking: { min: 1, max: 40, seed },
  });
  const keys = new Map([[wire, { key: "k", address: upstream.url }]]);
  const resolved = await createModelRegistry({ env: {}, keys }).resolve(`${wire}:soak`);
  if (!resolved.ok) return [resolved.error.message];
  const workspace = htmlWorkspace({ files: { "index.html": VERSIONS[0] ?? "" } });
  const stop = new AbortController();
  // Every third turn is also stopped by the person, at some event of it.
  let left = seed % 3 === 0 ? (seed * 7 + at) % 25 : -1;
  const { events } = await tryRun(resolved.model.languageModel, {
    model: resolved.model,
    workspace,
    clock: createFakeClock(),
    limits: { modelTries: 1, steps: 2 },
    signal: stop.signal,
    onEvent: () => left-- === 0 && stop.abort(),
  });
  await upstream.close();
  const problems = orderProblems(events);
  const text = workspace.text("index.html") ?? "";
  if (!VERSIONS.includes(text)) problems.push(`the file holds ${JSON.stringify(text)}`);
  const started = new Set(ofType(events, "call-start").map(({ call }) => call));
  for (const { call, status } of ofType(events, "call-end"))
    if (status === "interrupted" && started.has(call) && !stop.signal.aborted)
      problems.push(`${call} was run and interrupted`);
  return problems;
}

process.on("unhandledRejection", (error) => {
  console.log("unhandled rejection", error);
  process.exit(1);
});

let failed = 0;
let turns = 0;
let seed = first;
while (performance.now() < end) {
  for (const wire of WIRES)
    for (let at = 1; at <= BYTES && performance.now() < end; at++) {
      turns++;
      const problems = await cut(wire, at, seed + at);
      if (problems.length === 0) continue;
      failed++;
      if (failed <= 10) console.log(`${wire} byte ${at} seed ${seed + at}: ${problems.join("; ")}`);
    }
  seed += BYTES;
}
console.log(`${turns} turns cut, seeds ${first} to ${seed}, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
