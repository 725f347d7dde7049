import { RULE_CODES, type RuleCode, type RuleResult } from "@treadle/fullstack-bench/types";
import { duration, money } from "../../terminal/figures.ts";
import { VERDICT } from "../../terminal/narrate.ts";
import { costOf, escaped, factTable, page, table, total } from "../report-parts.ts";
import { RULE_NAMES, ruleWords } from "../score-words.ts";
import { type Agreement, shareOf } from "./agreement.ts";
import type { Judged, Judgement } from "./read-judgements.ts";
import type { FullstackResult } from "./result.ts";

/** Additional content of the report. */
export interface ReportContext {
  /** Number of tasks to do. */
  taskCount: number;
  model: string;
  judgements?: ReadonlyMap<string, Judgement> | undefined;
  agreement?: Agreement | undefined;
  /** Path of a task's log folder, relative to the report. */
  logOf(id: string): string;
}

/** An HTML page with every task of a run, which only needs the folders beside it. */
export function fullstackPage(results: readonly FullstackResult[], context: ReportContext): string {
  const { judgements } = context;
  const heads = ["Task", "Verdict", "Checks", "Judges’ rules", ...(judgements ? ["Judges"] : []), "Cost", "Time", "Pictures"]; // prettier-ignore
  return page(
    `FullStack-Bench: ${results.length} tasks`,
    `<h1>FullStack-Bench</h1>
${factTable(factsOf(results, context))}
<h2>Judges’ rules, as far as a program can play them</h2>
${table(
  ["Rule", "Held", "Failed", "Does not apply", "Not tried"],
  RULE_CODES.map((code) => ruleRow(code, results)),
)}
<h2>Tasks</h2>
${table(
  heads,
  results.map((result) => rowOf(result, context)),
)}
`,
  );
}

/** The tasks of a run as JSON, for programs. */
export function fullstackJson(results: readonly FullstackResult[], context: ReportContext): string {
  const { taskCount, model, judgements, agreement } = context;
  const tasks = results.map((result) => ({ ...result, judgement: judgements?.get(result.id) }));
  return `${JSON.stringify({ of: taskCount, model, agreement, tasks }, undefined, 2)}\n`;
}

function factsOf(results: readonly FullstackResult[], context: ReportContext): [string, string][] {
  const count = (is: (result: FullstackResult) => boolean) => String(results.filter(is).length);
  const { agreement, judgements } = context;
  return [
    ["Tasks", `${results.length} of ${context.taskCount}`],
    ["Verified", count(({ verdict }) => verdict === "verified")],
    ["Run, and not all was tried", count(({ verdict }) => verdict === "runs")],
    ["Pass the judges’ rules", count(({ score }) => score?.passes === true)],
    ...(judgements ? judged(judgements) : []),
    ...(agreement ? agreementFacts(agreement) : []),
    ["Cost", costOf(results.map(({ costUsd }) => costUsd))],
    ["Time, all tasks added up", duration(total(results.map(({ ms }) => ms)))],
    ["Model", context.model],
  ];
}

const JUDGES = { frontend: "Front end", backend: "Back end", database: "Database" } as const;

function judged(judgements: ReadonlyMap<string, Judgement>): [string, string][] {
  return (Object.keys(JUDGES) as (keyof typeof JUDGES)[]).flatMap((judge) => {
    const all = [...judgements.values()].flatMap((one): Judged[] =>
      one[judge] ? [one[judge]] : [],
    );
    const possible = total(all.map((one) => one.of));
    if (possible === 0) return [];
    const reached = total(all.map((one) => one.reached));
    return [
      [
        `${JUDGES[judge]}, by its judge`,
        `${percent(reached / possible)} of ${possible} checks judged`,
      ],
    ];
  });
}

function agreementFacts({ tasks, byVerdict, sameOrder }: Agreement): [string, string][] {
  return [
    ...byVerdict.map(({ verdict, tasks: count, share }): [string, string] => [
      `Judges’ points of what is called “${VERDICT[verdict]}”`,
      `${percent(share)} (${count} tasks)`,
    ]),
    [
      "Verdicts and judges agree on the order of two tasks",
      sameOrder === null ? `not known: ${tasks} tasks judged` : percent(sameOrder),
    ],
  ];
}

function ruleRow(code: RuleCode, results: readonly FullstackResult[]): string {
  const states = results.flatMap(({ score }) => score?.rules.find((one) => one.code === code)?.state ?? []); // prettier-ignore
  const cells = (["held", "failed", "inapplicable", "untried"] as const).map(
    (state) => `<td class="number">${states.filter((one) => one === state).length}</td>`,
  );
  return `<tr><th scope="row">${escaped(RULE_NAMES[code])}</th>${cells.join("")}</tr>`;
}

function rowOf(result: FullstackResult, { judgements, logOf }: ReportContext): string {
  const { id, verdict, checks, score, pictures } = result;
  const word = verdict ? VERDICT[verdict] : `No verdict (${result.outcome})`;
  const share = judgements && shareOf(judgements.get(id) ?? {});
  const shown = pictures.map((name) => `${logOf(id)}/${name}`);
  return `<tr><td><a href="${escaped(id)}/">${escaped(id)}</a><p class="why">${escaped(result.instruction)}</p></td>
<td><b class="${verdict ?? "unverified"}">${escaped(word)}</b><p class="why">${escaped(result.summary.replace(`${word}: `, ""))}</p></td>
<td class="number">${checks ? `${checks.held} of ${checks.all}` : "–"}</td>
<td>${scoreCell(score?.rules, score?.passes, result.scoreError)}${result.databaseError === undefined ? "" : `<p class="why">${escaped(result.databaseError)}</p>`}</td>
${judgements ? `<td class="number">${typeof share === "number" ? percent(share) : "–"}</td>` : ""}
<td class="number">${result.costUsd === null ? "?" : money(result.costUsd)}</td>
<td class="number">${duration(result.ms)}</td>
<td>${shown.map((path) => `<img src="${escaped(path)}" alt="What ${escaped(id)} looks like" loading="lazy">`).join("")}</td></tr>`;
}

function scoreCell(
  rules: readonly RuleResult[] | undefined,
  passes: boolean | undefined,
  error: string | undefined,
): string {
  if (!rules) return `<p class="why">${escaped(error ?? "not played")}</p>`;
  const failed = rules.filter(({ state }) => state === "failed");
  const words = failed.map((rule) => `${RULE_NAMES[rule.code]}: ${ruleWords(rule)}`);
  return `<b class="${passes ? "verified" : "failed"}">${passes ? "Passes" : "Does not pass"}</b>${words.map((text) => `<p class="why">${escaped(text)}</p>`).join("")}`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
