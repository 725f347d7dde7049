/**
 * Time from the prompt to the verdict: `fullstack` (page, API and PostgreSQL, with a sign-in)
 * compared with `express` with SQLite, each with a check, with a model that answers immediately.
 * Both templates' dependencies are prepared, as on a machine where Treadle has run before;
 * PostgreSQL is Treadle's own, started anew for each. `TREADLE_BENCH_ROUNDS` (default 3) sets the
 * number of rounds.
 */
import { createLocalDriver } from "@treadle/workspace";
import { createScriptedModel } from "@treadle/scripted-model";
import { bareEnvironment, bin, cache } from "../e2e/support/treadle.ts";
import { OWN_CASES, lastWant, isRight, readCases, scriptOf } from "../e2e/verdicts/cases.ts";
import { runByCommand } from "../e2e/verdicts/run-case.ts";

const ROUNDS = Number(process.env.TREADLE_BENCH_ROUNDS) || 3;
/** Maximum time of a full-stack build, as a multiple of the smaller one's. */
const AIM = 1.5;
const NAMES = {
  "express, SQLite": "kept-in-sqlite-express",
  "fullstack, PostgreSQL": "full-stack-call-log",
} as const;
type Row = keyof typeof NAMES;

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const cases = readCases(OWN_CASES) ?? [];
const items = Object.entries(NAMES).map(([row, name]) => {
  const item = cases.find((one) => one.name === name);
  if (!item) throw new Error(`There is no case ${name}.`);
  return { row: row as Row, item };
});
const driver = createLocalDriver({
  cacheDirectory: cache,
  env: { ...bareEnvironment(), TREADLE_PREPARE: "express,fullstack" },
});
try {
  await driver.prepareTemplates();
} finally {
  await driver.close();
}
const model = await createScriptedModel({
  script: Object.fromEntries(items.map(({ item }) => [item.name, scriptOf(item)])),
});
const taken = new Map<Row, { toVerdict: number; verdictMs: number }[]>();
try {
  // Alternately, each once unmeasured.
  for (let round = 0; round <= ROUNDS; round++)
    for (const { row, item } of items) {
      const run = await runByCommand(item, model, { bin, cache });
      if (!isRight(lastWant(item), run)) print(`${row} ended ${run.verdict}: ${run.summary}`);
      const { toVerdict, verdictMs } = run;
      if (toVerdict === undefined) throw new Error(`${row} came to no verdict.`);
      if (round > 0) taken.set(row, [...(taken.get(row) ?? []), { toVerdict, verdictMs }]);
    }
} finally {
  await model.close();
}
const seconds = (row: Row) => median(taken.get(row)!.map((run) => run.toVerdict));
print("from the sentence to the verdict (median; each)");
for (const { row } of items) {
  const all = taken.get(row)!;
  const verdict = (median(all.map(({ verdictMs }) => verdictMs)) / 1_000).toFixed(1);
  const each = all.map((run) => run.toVerdict.toFixed(1)).join(" ");
  print(
    `${row.padEnd(24)}${seconds(row).toFixed(1).padStart(6)} s, verdict ${verdict} s (${each})`,
  );
}
const [express, fullstack] = items.map(({ row }) => seconds(row));
print(`ratio ${(fullstack! / express!).toFixed(2)}  fullstack : express with SQLite, aim ${AIM}`);
