import type { CheckReport, Evidence } from "@treadle/protocol";
import { EVIDENCE_PARTS, judge } from "@treadle/protocol/evidence";
import { VERDICT } from "../terminal/narrate.ts";
import { escaped as text, htmlPage } from "../terminal/html-page.ts";
import type { Finding } from "./findings.ts";
import { STATE } from "./markdown.ts";

const STYLE = `
body { max-width: 60rem; }
img { border-radius: 4px; margin: .5rem 0; max-width: 100%; width: 40rem; }
pre { overflow-x: auto; } li { margin-block: .75rem; } .where { color: light-dark(#555, #aaa); }
`;
/** Maximum length of a command's output, in characters. */
const PRINTED = 4_000;

/**
 * The evidence as an HTML page for people who do not read Markdown: the verdict, each part and check, and each finding
 * with its picture. Needs only the pictures beside it. All text from the project is escaped.
 * @param pictures files beside the page, and the path of the page that each shows
 */
export function htmlOf(
  evidence: Evidence,
  findings: readonly Finding[],
  {
    name,
    pictures,
    found,
  }: {
    name: string;
    pictures: readonly { file: string; path: string }[];
    /** Files beside the page, by the hash of the picture of a finding or check. */
    found: ReadonlyMap<string, string>;
  },
): string {
  const { verdict, reason } = judge(evidence);
  const parts = EVIDENCE_PARTS.map((part) => {
    const { state, summary, ms } = evidence.parts[part];
    const time = ms === undefined ? "" : `${(ms / 1000).toFixed(1)} s`;
    return `<tr><th scope="row">${part}</th><td>${STATE[state]}</td><td>${text(summary)}</td><td class="number">${time}</td></tr>`;
  });
  const printed = EVIDENCE_PARTS.flatMap((part) => {
    const { state, detail } = evidence.parts[part];
    return state === "failed" && detail
      ? [`<h3>What ${part} printed</h3><pre>${text(detail.slice(-PRINTED))}</pre>`]
      : [];
  });
  const checks = (evidence.checks ?? []).map((check) => checkRow(check, found));
  const title = `${name}: ${VERDICT[verdict]}`;
  return htmlPage(
    title,
    `<h1>${text(title)}</h1>
<p>${text(reason)}</p>
<table>${parts.join("\n")}</table>
${checks.length > 0 ? `<h2>Checks</h2>\n<table>${checks.join("\n")}</table>` : ""}
${findings.length > 0 ? `<h2>Found</h2>\n<ul>${findings.map((one) => foundItem(one, found)).join("\n")}</ul>` : ""}
${printed.join("\n")}
${pictures.length > 0 ? `<h2>What the pages looked like</h2>\n${pictures.map(({ file, path }) => `<h3>${text(path)}</h3>${image(file, `How ${path} looked`)}`).join("\n")}` : ""}
${evidence.revision ? `<p class="where">Of revision ${text(evidence.revision)}.</p>` : ""}
`,
    STYLE,
  );
}

function checkRow(
  { name, state, steps, picture }: CheckReport,
  found: ReadonlyMap<string, string>,
) {
  const result = state === "held" ? `${steps.length} steps` : (steps.at(-1)?.said ?? "");
  const file = picture && found.get(picture.hash);
  const shown = file === undefined ? "" : image(file, `What ${name} failed on`);
  return `<tr><th scope="row">${text(name)}</th><td>${STATE[state]}</td><td>${text(result)}${shown}</td></tr>`;
}

function foundItem(
  { rule, message, place, picture }: Finding,
  found: ReadonlyMap<string, string>,
): string {
  const file = picture === undefined ? undefined : found.get(picture);
  const where = place ? ` <code class="where">${text(`${place.path}:${place.line}`)}</code>` : "";
  return `<li><strong>${text(rule)}</strong>${where} ${text(message)}${file === undefined ? "" : image(file, message)}</li>`;
}

const image = (file: string, words: string) => `<img src="${text(file)}" alt="${text(words)}">`;
