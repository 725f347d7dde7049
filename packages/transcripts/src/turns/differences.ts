import type { Evidence } from "@treadle/protocol";
import { formatUnifiedDiff } from "@treadle/dialects/diff";
import type { Transcript, TranscriptTurn } from "./transcript.ts";

/** What can differ between a recording and its replay. */
export const DIFFERENCE_KINDS = [
  "system",
  "tools",
  "message",
  "result",
  "evidence",
  "question",
  "answers",
  "verdict",
] as const;

/** One difference of the replay. */
export interface ReplayDifference {
  /** From 1. */
  turn: number;
  /**
   * `system`, `tools`, `message`: text for the model. `result`: of a tool. `evidence`: of a look.
   * `question`: to the person. `answers`: the number of recorded answers used. `verdict`: the
   * outcome.
   */
  kind: (typeof DIFFERENCE_KINDS)[number];
  /** Its subject: "request 2", "run_command 1", "look 1". */
  where: string;
  /** A unified diff without file headers: `-` as recorded, `+` as replayed. */
  diff: string;
}

/**
 * Compares a replay with its recording. Ignores times, dates, ports, ids, hashes, and whether
 * packages were prepared. Answers of the model are the same in both, and so are their repetitions
 * in later requests.
 */
export function transcriptDifferences(before: Transcript, after: Transcript): ReplayDifference[] {
  return before.turns.flatMap((turn, index) => {
    const again = after.turns[index];
    const number = index + 1;
    if (again) return turnDifferences(number, turn, again);
    return [{ turn: number, kind: "verdict" as const, where: "turn", diff: "-the turn was run\n" }];
  });
}

function turnDifferences(
  turn: number,
  before: TranscriptTurn,
  after: TranscriptTurn,
): ReplayDifference[] {
  const found: ReplayDifference[] = [];
  const compare = (kind: ReplayDifference["kind"], where: string, was: string, is: string) => {
    const [one, other] = [comparable(was), comparable(is)];
    if (one !== other) found.push({ turn, kind, where, diff: formatUnifiedDiff(one, other) });
  };
  const texts = (one: TranscriptTurn, at: number) => one.exchanges[at]?.request;
  const [first, again] = [texts(before, 0), texts(after, 0)];
  compare("system", "request 1", first?.system ?? "", again?.system ?? "");
  compare("tools", "request 1", toolsText(first?.tools), toolsText(again?.tools));

  const [promptsBefore, toldNow] = [toldByRequest(before), toldByRequest(after)];
  for (let at = 0; at < Math.max(promptsBefore.length, toldNow.length); at++)
    compare("message", `request ${at + 1}`, promptsBefore[at] ?? "", toldNow[at] ?? "");

  const [calls, callsNow] = [resultsByTool(before), resultsByTool(after)];
  for (const tool of new Set([...calls.keys(), ...callsNow.keys()])) {
    const [was, is] = [calls.get(tool) ?? [], callsNow.get(tool) ?? []];
    for (let at = 0; at < Math.max(was.length, is.length); at++)
      compare("result", `${tool} ${at + 1}`, was[at] ?? "", is[at] ?? "");
  }
  for (let at = 0; at < Math.max(before.looks.length, after.looks.length); at++)
    compare("evidence", `look ${at + 1}`, lookText(before.looks[at]), lookText(after.looks[at]));
  compare("question", "turn", countText(before.answers), countText(after.answers));
  compare("answers", "turn", countText(before.exchanges), countText(after.exchanges));
  compare("verdict", "turn", endText(before), endText(after));
  return found;
}

const countText = (all: readonly unknown[]) => `${all.length}\n`;

const endText = ({ end: { outcome, verdict, summary, steps, error } }: TranscriptTurn) =>
  `outcome: ${outcome}\nverdict: ${verdict ?? "none"}\nerror: ${error ?? "none"}\nsteps: ${steps}\n${summary}\n`;

const toolsText = (tools: readonly unknown[] = []) =>
  tools.map((tool) => `${JSON.stringify(tool, undefined, 2)}\n`).join("");

/**
 * The new text in each request. Leaves out answers, which come from the recording, and results,
 * which are compared separately.
 */
function toldByRequest({ exchanges }: TranscriptTurn): string[] {
  const known = new Set<string>();
  return exchanges.map(({ request }) =>
    request.messages
      .filter(({ role }) => role === "user" || role === "system")
      .map(({ content }) => wordsOf(content))
      .filter((text) => {
        const isNew = !known.has(text);
        known.add(text);
        return isNew;
      })
      .join("\n"),
  );
}

function wordsOf(content: unknown): string {
  if (typeof content === "string") return `${content}\n`;
  if (!Array.isArray(content)) return `${JSON.stringify(content)}\n`;
  return content
    .map((part: { type?: string; text?: string }) =>
      part.type === "text" ? `${part.text ?? ""}\n` : `(${part.type ?? "part"})\n`,
    )
    .join("");
}

function resultsByTool({ calls }: TranscriptTurn): Map<string, string[]> {
  const results = new Map<string, string[]>();
  for (const { tool, status, title, result } of calls)
    results.set(tool, [...(results.get(tool) ?? []), `${status}: ${title}\n${result}\n`]);
  return results;
}

/** The evidence of a look, one line per fact. */
function lookText(look: Evidence | undefined): string {
  if (!look) return "";
  const { parts, checks = [], pages = [], findings = [] } = look;
  return [
    ...Object.entries(parts).map(([part, { state, summary }]) => `${part}: ${state}: ${summary}`),
    ...checks.map(({ name, state }) => `check ${name}: ${state}`),
    ...pages.map((page) => `page ${page.path}: ${page.status}, ${page.rendered ? "rendered" : "empty"}, ${page.uncaughtErrors.length} errors`), // prettier-ignore
    ...findings.map((finding) => `finding ${finding.code}`),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Variable texts, and their replacements, in order. */
const MOVING: [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/g, "(date)"],
  [/\btime zone \S+/g, "time zone (zone)"],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g, "$1:(port)"],
  [/\bport \d{2,5}\b/g, "port (port)"],
  [/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g, "(hash)"],
  [/\brevision [0-9a-f]{4,12}\b/g, "revision (hash)"],
  [/\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?)\b/g, "(time)"],
  [/\bwallTimeMs: \d+/g, "wallTimeMs: (time)"],
  // A template's packages are prepared once per machine, and installed by npm until then: the
  // result is the same.
  [/\((?:prepared by Treadle|by npm in a sandbox of its own), versions/g, "(versions"],
  [/\b[mr][a-z2-7]{15}\b/g, "(id)"],
  [/\b[a-z][a-z2-7]{25}\b/g, "(id)"],
];

function comparable(text: string): string {
  let same = text;
  for (const [pattern, by] of MOVING) same = same.replaceAll(pattern, by);
  return same;
}
