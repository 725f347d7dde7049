import type { Question } from "@treadle/protocol";
import { plain } from "./plain.ts";

/** Says what the run would have waited for, and how to continue without a user present. */
export function needsPerson(asked: Question): string {
  if (asked.kind === "words")
    return `The model asks: ${plain(asked.text)}\nNobody is here to answer, so the run ended. Say it in the prompt and run again.`;
  const foreign = asked.tool.startsWith("mcp__");
  const what = plain(asked.subject.what.slice(0, foreign ? 2 : undefined).join(", "));
  const way = foreign
    ? "Allow it on the page (Settings, Tools), and run again."
    : asked.mayRemember
      ? "Run again with --approve auto, or run it on the page, where you can approve it."
      : "This always needs approval: build on the page, where you can approve it, or write it yourself.";
  return `A person has to approve this first (${asked.tool} ${what}): ${plain(asked.why)}\nIt was not done, and the run ended. ${way}`;
}
