import type { PullRequestFacts } from "../api/git-branches.ts";
import { codedWords } from "../words/coded-words.ts";
import { formatAmounts } from "../ui/format.ts";
import { words } from "../words/words.ts";

const TITLE_CHARS = 72;
const ASKED_CHARS = 2_000;

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const cut = (text: string, chars: number) =>
  text.length > chars ? `${text.slice(0, chars - 1).trimEnd()}…` : text;
/** Indents the lines after the first, so that they stay in their list item. */
const asItem = (text: string) => `- ${cut(text.trim(), ASKED_CHARS).replace(/\n/g, "\n  ")}`;
const asCell = (text: string) => oneLine(text).replaceAll("|", "\\|");

/**
 * A title that the person can edit: the first request, with the number of further ones, or a text for changes by hand.
 */
export function pullRequestTitle({ turns }: PullRequestFacts): string {
  const [first] = turns;
  const asked = oneLine(first?.asked ?? "");
  if (asked === "") return words.git.pr.byHand;
  if (turns.length === 1) return cut(asked, TITLE_CHARS);
  return cut(words.git.pr.several({ asked, more: turns.length - 1 }), TITLE_CHARS);
}

/** The pull request's text as Markdown: the requests, the verdict with its evidence, the tried items, and the cost. */
export function pullRequestBody(facts: PullRequestFacts): string {
  const { turns, asked } = facts;
  const sections = [
    ...section(
      words.git.pr.asked,
      turns.map((turn) => asItem(turn.asked)),
    ),
    ...section(
      words.git.pr.verdict({ verdict: words.verdict[facts.verdict ?? "new"] }),
      evidence(facts),
    ),
    ...section(words.git.pr.tried, asked.map(triedItem)),
    ...section(words.git.pr.cost, [cost(facts)]),
  ];
  return `${sections.join("\n\n")}\n`;
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join("\n")];

function evidence({ summary, summaryCode, parts, verdict }: PullRequestFacts): string[] {
  if (verdict === undefined) return [words.git.pr.noVerdict];
  const rows = parts.map(({ part, state, ...seen }) => {
    const { parts: names, states } = words.evidence;
    return `| ${names[part]} | ${states[state]} | ${asCell(codedWords(seen.summary, seen.summaryCode))} |`; // prettier-ignore
  });
  const table = rows.length === 0 ? [] : ["", "| | | |", "| --- | --- | --- |", ...rows];
  return [codedWords(summary, summaryCode), ...table];
}

function triedItem({ what, check, why }: PullRequestFacts["asked"][number]): string {
  const { notTried, asked } = words.evidence;
  if (why === undefined) {
    const by = check === undefined ? asked.agreed : asked.byCheck({ check });
    return `- [x] ${oneLine(what)} (${oneLine(by)})`;
  }
  const reason = notTried.why[why];
  const reasonWords = check === undefined ? reason : notTried.ofCheck({ check, why: reason });
  return `- [ ] ${oneLine(what)} (${oneLine(reasonWords)})`;
}

function cost({ usage, models, turns }: PullRequestFacts): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    words.git.pr.turns({ amount: turns.length }),
    ...formatAmounts(tokens, usage.costUsd),
    ...models,
  ].join(" · ");
}
