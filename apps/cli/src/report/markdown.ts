import type { Evidence } from "@treadle/protocol";
import { EVIDENCE_PARTS, judge, type PartState } from "@treadle/protocol/evidence";
import { VERDICT } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";
import type { Finding } from "./findings.ts";

/** Labels of states in reports. */
export const STATE: Record<PartState, string> = {
  held: "✓ held",
  failed: "× failed",
  untried: "? not seen",
  going: "? not seen",
  inapplicable: "– does not apply",
};

/** Maximum length of a command's output, in characters. */
const PRINTED = 4_000;

/**
 * The evidence as Markdown for people: the verdict, each part, the findings with their places, and screenshots. Text
 * from the project (messages, titles, names) is escaped, so that it is never read as Markdown or HTML.
 * @param pictures files beside the page, and the path of the page that each shows
 */
export function markdownOf(
  evidence: Evidence,
  findings: readonly Finding[],
  {
    name,
    pictures,
    found = new Map(),
  }: {
    name: string;
    pictures: readonly { file: string; path: string }[];
    /** Files beside the page, by the hash of the picture of a finding. */
    found?: ReadonlyMap<string, string>;
  },
): string {
  const { verdict, reason } = judge(evidence);
  const parts = EVIDENCE_PARTS.map((part) => {
    const { state, summary, ms } = evidence.parts[part];
    return `| ${part} | ${STATE[state]} | ${text(summary)} | ${ms === undefined ? "" : `${(ms / 1000).toFixed(1)} s`} |`;
  });
  const checks = (evidence.checks ?? []).map(
    ({ name: check, state, steps }) =>
      `| ${text(check)} | ${STATE[state]} | ${text(state === "held" ? `${steps.length} steps` : (steps.at(-1)?.said ?? ""))} |`,
  );
  const printed = EVIDENCE_PARTS.flatMap((part) => {
    const { state, detail } = evidence.parts[part];
    return state === "failed" && detail ? [`### What ${part} printed\n\n${fenced(detail)}`] : [];
  });
  return [
    `# ${text(name)}: ${VERDICT[verdict]}`,
    text(reason),
    table(["part", "state", "what was seen", "time"], parts),
    checks.length > 0 && table(["check", "state", "last step"], checks),
    findings.length > 0 &&
      `## Found\n\n${findings.map((finding) => foundLine(finding, found)).join("\n")}`,
    ...printed,
    pictures.length > 0 &&
      `## What the pages looked like\n\n${pictures.map(({ file, path }) => `${code(path)}\n\n![How ${text(path)} looked](${file})`).join("\n\n")}`,
    evidence.revision && `Of revision ${code(evidence.revision)}.`,
  ]
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n\n")
    .concat("\n");
}

function foundLine(
  { rule, message, place, picture }: Finding,
  files: ReadonlyMap<string, string>,
): string {
  const where = place ? `${code(`${place.path}:${place.line}`)} ` : "";
  const file = picture === undefined ? undefined : files.get(picture);
  const shown = file === undefined ? "" : `\n\n  ![${text(message)}](${file})\n`;
  return `- **${rule}** ${where}${text(message)}${shown}`;
}

const table = (heads: readonly string[], rows: readonly string[]) =>
  [`| ${heads.join(" | ")} |`, `| ${heads.map(() => "---").join(" | ")} |`, ...rows].join("\n");

/** Escapes one line of text. */
const text = (words: string): string =>
  plain(words)
    .replaceAll(/\s+/g, " ")
    .trim()
    // Sites that render this may notify a mentioned user, and a backslash does not prevent that.
    .replaceAll(/@(?=\w)/g, "@\u200b")
    .replaceAll(/[\\`*_{}[\]()#+!|<>~$@&:-]/g, (mark) =>
      PLAIN_IN_WORDS.has(mark) ? mark : `\\${mark}`,
    );

/** Punctuation that has no effect inside a line, and would be unreadable if escaped. */
const PLAIN_IN_WORDS = new Set(["(", ")", "-", "+", ":", "!", "{", "}", "#"]);

/** A code span around any text: its fence is longer than any inside. */
function code(words: string): string {
  const one = plain(words).replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  const fence = "`".repeat(longestFence(one) + 1);
  return `${fence}${one.startsWith("`") || one.endsWith("`") ? ` ${one} ` : one}${fence}`;
}

function fenced(words: string): string {
  const shown = plain(words).slice(-PRINTED);
  const fence = "`".repeat(Math.max(3, longestFence(shown) + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

const longestFence = (words: string) =>
  Math.max(0, ...(words.match(/`+/g) ?? []).map(({ length }) => length));
