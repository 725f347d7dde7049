import { isSound } from "@treadle/protocol/evidence";
import { duration, money } from "../terminal/figures.ts";
import { VERDICT } from "../terminal/narrate.ts";
import { costOf, escaped, factTable, page, table, total } from "./report-parts.ts";
import type { TaskResult } from "./results.ts";

/** The results of all tasks as a page that needs only the folder it is in. */
export function reportPage(
  results: readonly TaskResult[],
  { taskCount, model }: { taskCount: number; model: string },
): string {
  const count = (is: (result: TaskResult) => boolean) => results.filter(is).length;
  const checks = results.flatMap(({ checks: own }) => (own ? [own] : []));
  const facts: [string, string][] = [
    ["Tasks", `${results.length} of ${taskCount}`],
    ["Verified", String(count(({ verdict }) => verdict === "verified"))],
    ["Run, and not all was tried", String(count(({ verdict }) => verdict === "runs"))],
    [
      "Verified or run again as handed over",
      String(count(({ handedOver }) => isSound(handedOver?.verdict))),
    ],
    ["Start with npm run dev", String(count(({ starts }) => starts))],
    ...(checks.length > 0
      ? [
          [
            "Checks that held",
            `${total(checks.map(({ held }) => held))} of ${total(checks.map(({ all }) => all))}`,
          ] satisfies [string, string],
        ]
      : []),
    ["Cost", costOf(results.map(({ costUsd }) => costUsd))],
    ["Time, all tasks added up", duration(total(results.map(({ ms }) => ms)))],
    ["Model", model],
  ];
  const heads = ["Task", "Verdict", "Checks", "Cost", "Time", "Tokens", "Page"];
  return page(
    `Benchmark: ${results.length} tasks`,
    `<h1>Benchmark</h1>
${factTable(facts)}
<h2>Tasks</h2>
${table(heads, results.map(rowOf))}
`,
  );
}

function rowOf(result: TaskResult): string {
  const { id, verdict, checks, picture } = result;
  const word = verdict ? VERDICT[verdict] : `No verdict (${result.outcome})`;
  const again =
    result.handedOver && result.handedOver.verdict !== verdict
      ? `As handed over: ${VERDICT[result.handedOver.verdict]}, ${result.handedOver.reason}. `
      : "";
  const why = `${again}${result.starts ? "" : "It does not start with npm run dev. "}${result.summary.replace(`${word}: `, "")}`;
  return `<tr><td><a href="${escaped(id)}/">${escaped(id)}</a><p class="why">${escaped(result.instruction)}</p></td>
<td><b class="${verdict ?? "unverified"}">${escaped(word)}</b><p class="why">${escaped(why)}</p></td>
<td class="number">${checks ? `${checks.held} of ${checks.all}` : "–"}</td>
<td class="number">${result.costUsd === null ? "?" : money(result.costUsd)}</td>
<td class="number">${duration(result.ms)}</td>
<td class="number">${result.tokens.toLocaleString("en")}</td>
<td>${picture ? `<img src="${escaped(picture)}" alt="What ${escaped(id)} looks like" loading="lazy">` : ""}</td></tr>`;
}
