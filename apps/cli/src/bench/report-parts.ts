import { money } from "../terminal/figures.ts";
import { escaped, htmlPage } from "../terminal/html-page.ts";

export { escaped };

const STYLE = `
body { max-width: 76rem; }
img { width: 12rem; }
.verified { color: light-dark(#15693a, #6ad29a); } .failed { color: light-dark(#a3241b, #ff9a90); }
p.why { color: light-dark(#555, #aaa); margin: .25rem 0 0; max-width: 34rem; }
`;

/**
 * A complete HTML page of a benchmark.
 * @param body HTML
 */
export const page = (title: string, body: string): string => htmlPage(title, body, STYLE);

/** A two-column table of labels and values. */
export const factTable = (facts: readonly (readonly [string, string])[]): string =>
  `<table>${facts.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("")}</table>`;

/** A table with a heading for each column. @param rows HTML of each row */
export const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;

/** The total cost of tasks, for people. */
export function costOf(costs: readonly (number | null)[]): string {
  const known = costs.filter((cost) => cost !== null);
  const unknown = costs.length - known.length;
  if (known.length === 0) return "not known for this model";
  return `${money(total(known))}${unknown > 0 ? `, and ${unknown} tasks whose price is not known` : ""}`;
}

export const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
