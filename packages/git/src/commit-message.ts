import { headOf } from "@treadle/protocol/safe-text";
import type { Turn } from "./turns.ts";

const SUBJECT = 72;
/** Maximum length of the quoted request in characters, and number of listed files. */
const ASKED = 4_000;
const NAMED = 40;

/**
 * A commit message with the request, the changed files, and the verdict with its evidence as
 * trailers. Quoted texts are indented, so that none is parsed as a trailer.
 * @param changed lines of `git diff-tree --name-status`
 */
export function commitMessage(turn: Turn, changed: readonly string[]): string {
  const subject = headOf(oneLine(turn.asked), SUBJECT).trim() || "A turn without words";
  const more = changed.length - NAMED;
  return [
    subject,
    "",
    "Asked:",
    indented(headOf(turn.asked, ASKED)),
    ...(turn.summary === "" ? [] : ["", "Told:", indented(turn.summary)]),
    "",
    "Changed:",
    indented(changed.slice(0, NAMED).join("\n")),
    ...(more > 0 ? [`    and ${more} more`] : []),
    "",
    ...trailers(turn),
    "",
  ].join("\n");
}

/** The message of a commit that combines several turns. */
export function squashedMessage(turns: readonly Turn[], changed: readonly string[]): string {
  const last = turns.at(-1);
  if (!last) return handMessage(changed);
  if (turns.length === 1) return commitMessage(last, changed);
  const asked = turns.map((turn) => `- ${headOf(oneLine(turn.asked), 200)}`).join("\n");
  const subject = `${turns.length} turns: ${oneLine(last.asked)}`.slice(0, SUBJECT).trim();
  return [subject, "", "Asked:", indented(asked), "", ...trailers(last), ""].join("\n");
}

/** The message of a commit of manual changes, after the last turn or without any. */
export function handMessage(changed: readonly string[]): string {
  return [
    "Changes by hand",
    "",
    "Changed:",
    indented(changed.slice(0, NAMED).join("\n")),
    "",
    "Treadle-Verdict: none",
    "",
  ].join("\n");
}

function trailers({ verdict, evidence, model, outcome }: Turn): string[] {
  const seen = Object.entries(evidence?.parts ?? {})
    .filter(([, part]) => part.state !== "untried")
    .map(([name, part]) => `Treadle-Evidence: ${name} ${part.state}${part.summary ? ` (${oneLine(part.summary).slice(0, 160)})` : ""}`); // prettier-ignore
  return [
    `Treadle-Verdict: ${verdict ?? "none"}`,
    ...(outcome === "done" ? [] : [`Treadle-Outcome: ${outcome}`]),
    ...seen,
    `Treadle-Model: ${oneLine(model)}`,
  ];
}

// oxlint-disable-next-line no-control-regex -- what a message of git cannot hold
const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f]+/g, " ").trim();
const indented = (text: string) =>
  text
    .replaceAll("\0", "")
    .split(/\r?\n/)
    .map((line) => `    ${line}`.trimEnd())
    .join("\n");
