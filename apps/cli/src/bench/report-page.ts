import { isSound } from "@treadle/protocol/evidence";
import { duration, money } from "../figures.ts";
import { VERDICT } from "../narrate.ts";
import type { TaskResult } from "./results.ts";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid light-dark(#ddd, #444); padding: .5rem .75rem .5rem 0; text-align: start; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
img { border: 1px solid light-dark(#ddd, #444); border-radius: 4px; display: block; width: 12rem; }
.verified { color: light-dark(#15693a, #6ad29a); } .failed { color: light-dark(#a3241b, #ff9a90); }
p.why { color: light-dark(#555, #aaa); margin: .25rem 0 0; max-width: 34rem; }
`;

/** How all tasks came out, as a page that needs nothing but the folder it lies in. */
export function reportPage(
  results: readonly TaskResult[],
  { of, model }: { of: number; model: string },
): string {
  const count = (is: (result: TaskResult) => boolean) => results.filter(is).length;
  const checks = results.flatMap(({ checks: own }) => (own ? [own] : []));
  const facts: [string, string][] = [
    ["Tasks", `${results.length} of ${of}`],
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
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Benchmark: ${results.length} tasks</title><style>${STYLE}</style></head><body>
<h1>Benchmark</h1>
<table>${facts.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("")}</table>
<h2>Tasks</h2>
<table><thead><tr>${["Task", "Verdict", "Checks", "Cost", "Time", "Tokens", "Page"].map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>
${results.map(rowOf).join("\n")}
</tbody></table></body></html>
`;
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

function costOf(costs: readonly (number | null)[]): string {
  const known = costs.filter((cost) => cost !== null);
  const unknown = costs.length - known.length;
  if (known.length === 0) return "not known for this model";
  return `${money(total(known))}${unknown > 0 ? `, and ${unknown} tasks whose price is not known` : ""}`;
}

const MARKS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (mark) => MARKS[mark]!);

const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
