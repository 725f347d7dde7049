import { money } from "../figures.ts";

export const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid light-dark(#ddd, #444); padding: .5rem .75rem .5rem 0; text-align: start; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
img { border: 1px solid light-dark(#ddd, #444); border-radius: 4px; display: block; width: 12rem; }
.verified { color: light-dark(#15693a, #6ad29a); } .failed { color: light-dark(#a3241b, #ff9a90); }
p.why { color: light-dark(#555, #aaa); margin: .25rem 0 0; max-width: 34rem; }
`;

/** A whole page that needs nothing but the folder it lies in. @param body HTML */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style></head><body>
${body}</body></html>
`;

/** Two columns: what a fact is called, and the fact. */
export const factTable = (facts: readonly (readonly [string, string])[]): string =>
  `<table>${facts.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("")}</table>`;

/** @param rows HTML of each */
export const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;

/** What tasks cost together, in words. */
export function costOf(costs: readonly (number | null)[]): string {
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
/** Text as HTML. */
export const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (mark) => MARKS[mark]!);

export const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
