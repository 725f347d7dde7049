/**
 * Whether the verdict is true: small projects on real stacks and with real faults, each run by a model that plays its
 * part, and what was said of it beside what has to be said.
 *
 *   npm run bench verdicts -- [--cases FILE | --own | --honest] [--only A,B] [--parallel 3] [--repeat 3] [--busy] [--page] [--check] [--beside BIN]
 *
 * `--own` runs the repository's own cases, `--honest` the apps built well and their variants that only look like them.
 * `--page` sends each prompt to one server as the page does, instead of `treadle run`. `--busy` keeps every core busy
 * meanwhile. `--check` asks `treadle check` of each folder afterwards, which has to say the same. `--beside` runs each case with the command of another checkout as well, for the time that a verdict takes.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { createScriptedModel } from "@treadle/scripted-model";
import { bin, cache, scriptedBy, startTreadle } from "../e2e/support/treadle.ts";
import {
  postgresPrograms,
  startPostgres,
} from "../packages/workspace/src/testing/postgres.test-support.ts";
import {
  APPS,
  CASES_FILE,
  OWN_CASES,
  isFalselyVerified,
  isRight,
  lastWant,
  readCases,
  scriptOf,
} from "../e2e/verdicts/cases.ts";
import type { VerdictCase } from "../e2e/verdicts/case-types.ts";
import { runByCommand, runByPage, type CaseRun } from "../e2e/verdicts/run-case.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string" },
    own: { type: "boolean", default: false },
    honest: { type: "boolean", default: false },
    only: { type: "string" },
    parallel: { type: "string", default: "3" },
    repeat: { type: "string", default: "1" },
    busy: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    beside: { type: "string" },
    out: { type: "string" },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

const only = options.only?.split(",");
const place = options.cases ?? (options.honest ? APPS : options.own ? OWN_CASES : CASES_FILE);
const found = readCases(place)?.filter(({ name }) => !only || only.includes(name));
if (!found) {
  print(`There are no cases at ${place}: name a file of the same form with --cases.`);
  process.exit(0);
}
const cases = found.filter(({ needs }) => needs === undefined || postgresPrograms !== undefined);
if (cases.length < found.length)
  print(`${found.length - cases.length} left out: there is no PostgreSQL on this machine`);

const model = await createScriptedModel({
  script: Object.fromEntries(cases.map((item) => [item.name, scriptOf(item)])),
});
const burners: ChildProcess[] = options.busy
  ? Array.from({ length: availableParallelism() * 2 }, () =>
      spawn(process.execPath, ["-e", "for(;;);"], { stdio: "ignore" }),
    )
  : [];
const postgres = cases.some(({ needs }) => needs === "postgres")
  ? await startPostgres()
  : undefined;
const env: Record<string, string> = postgres ? { TREADLE_APPS_DATABASE_URL: postgres.url } : {};
const treadle = options.page
  ? await startTreadle({ env: { ...scriptedBy(model), ...env } })
  : undefined;

interface Row {
  item: VerdictCase;
  run: CaseRun;
  before?: CaseRun;
}

async function once(item: VerdictCase): Promise<Row> {
  const run = treadle
    ? await runByPage(item, model, treadle)
    : await runByCommand(item, model, { bin, cache, check: options.check, env });
  const before = options.beside
    ? await runByCommand(item, model, { bin: options.beside, cache: `${cache}-beside` })
    : undefined;
  return { item, run, before };
}

function show({ item, run, before }: Row): void {
  const right = isRight(lastWant(item), run);
  const mark = right ? "ok   " : isFalselyVerified(lastWant(item), run) ? "FALSE" : "wrong";
  const note = run.told === false ? ", not told" : "";
  const time = `${run.seconds.toFixed(0)} s, verdict ${(run.verdictMs / 1000).toFixed(1)} s`;
  const ratio = before ? ` (before ${(before.verdictMs / 1000).toFixed(1)} s)` : "";
  print(
    `${mark} ${item.name.padEnd(28)} ${lastWant(item).padEnd(16)} ${run.verdict}${note} · ${time}${ratio}`,
  );
  const { checked } = run;
  if (checked && checked.verdict !== run.verdict)
    print(
      `      checked: ${checked.verdict}, ${checked.reason.replaceAll("\n", " ").slice(0, 300)}`,
    );
  for (const words of run.amiss ?? []) print(`      ${words.slice(0, 300)}`);
  if (!right) print(`      ${run.summary.replaceAll("\n", " ").slice(0, 400)}`);
}

const rounds: Row[][] = [];
try {
  for (let round = 1; round <= Number(options.repeat); round++) {
    const waiting = [...cases];
    const rows: Row[] = [];
    await Promise.all(
      Array.from({ length: Number(options.parallel) }, async () => {
        for (let item = waiting.shift(); item; item = waiting.shift()) {
          const row = await once(item);
          rows.push(row);
          show(row);
        }
      }),
    );
    rounds.push(rows);
    summarise(rows, round);
  }
  const runs = rounds.flat();
  const changing = cases.filter(
    ({ name }) =>
      new Set(runs.filter(({ item }) => item.name === name).map(({ run }) => run.verdict)).size > 1,
  );
  if (rounds.length > 1)
    print(`not the same in every round: ${changing.map(({ name }) => name).join(", ") || "none"}`);
} finally {
  for (const burner of burners) burner.kill("SIGKILL");
  await treadle?.stop();
  await postgres?.close();
  await model.close();
  if (options.out) writeFileSync(options.out, JSON.stringify(rounds, null, 1));
}

function summarise(rows: Row[], round: number): void {
  const wrong = rows.filter(({ item, run }) => !isRight(lastWant(item), run));
  const falsely = rows.filter(({ item, run }) => isFalselyVerified(lastWant(item), run));
  print(
    `\nround ${round}: ${rows.length - wrong.length} of ${rows.length} right, ` +
      `${falsely.length} falsely verified, ${wrong.length - falsely.length} otherwise wrong`,
  );
  const verdicts = ["verified", "runs", "failed", "unverified", "null"];
  print(`${"".padEnd(18)}${verdicts.map((word) => word.padStart(12)).join("")}`);
  for (const want of new Set(rows.map(({ item }) => lastWant(item)))) {
    const alike = rows.filter(({ item }) => lastWant(item) === want);
    const counts = verdicts.map(
      (word) => alike.filter(({ run }) => String(run.verdict) === word).length,
    );
    print(`${want.padEnd(18)}${counts.map((count) => String(count).padStart(12)).join("")}`);
  }
  const checked = rows.filter(({ run }) => run.checked);
  if (checked.length > 0)
    print(
      `treadle check says the same of ${checked.filter(({ run }) => run.checked!.verdict === run.verdict).length} of ${checked.length}`,
    );
  const both = rows.filter(
    ({ item, run, before }) =>
      before && isRight(lastWant(item), run) && isRight(lastWant(item), before),
  );
  const ratios = both.map(({ run, before }) => run.verdictMs / before!.verdictMs);
  if (ratios.length > 0)
    print(
      `a verdict takes ${median(both.map(({ run }) => run.verdictMs))} ms, before ` +
        `${median(both.map(({ before }) => before!.verdictMs))} ms; median ratio ${median(ratios).toFixed(2)} over ${ratios.length}`,
    );
}
