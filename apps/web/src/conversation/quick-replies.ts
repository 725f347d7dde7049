import type { Evidence, TodoItem } from "@treadle/protocol";
import { unprovenItems } from "@treadle/protocol/evidence";
import { textOf } from "../fold/gathered.ts";
import type { Turn } from "../fold/types.ts";
import { words } from "../words/words.ts";

/** Replies that are offered at a time. */
const MOST = 3;
/** Characters of what a reply repeats. */
const REPEATED = 60;

/**
 * Replies to what just happened, each whole, so that it can be sent as it stands. Each names something that was said or
 * seen: a question of the model, work that is left on the list, what was asked for and not tried, what a look remarked of a
 * page that holds.
 */
export function quickReplies(
  turn: Turn,
  evidence: Evidence | undefined,
  todo: readonly TodoItem[] = [],
): string[] {
  const { end } = turn;
  // What failed has its own next actions, and a plan its card.
  if (end?.outcome !== "done" || end.verdict === "failed" || turn.plan !== undefined) return [];
  const asked = endsInQuestion(turn) ? [words.chat.doThat, words.chat.leaveIt] : [];
  const open = todo.find(({ status }) => status !== "done");
  const seen = evidence?.revision === end.revision ? evidence : undefined;
  return [
    ...asked,
    ...(open ? [words.chat.goOnWith({ what: cut(open.text) })] : []),
    ...(seen ? [...untried(seen), ...remarks(seen)] : []),
    ...(turn.mode === "discuss" && asked.length === 0 ? [words.chat.doIt] : []),
  ].slice(0, MOST);
}

/** What was asked for and no check tried; what only eyes can judge is left to the person. */
function untried(evidence: Evidence): string[] {
  return unprovenItems(evidence).flatMap(({ what, why }) =>
    what === undefined || why === "by-eye" ? [] : [words.chat.tryOut({ what: cut(what) })],
  );
}

/** What was seen beside the verdict, and can be made better. */
function remarks({ pages }: Evidence): string[] {
  const page = pages.at(-1);
  if (!page) return [];
  const faint = [...(page.faint ?? []), ...(page.dark?.faint ?? [])][0];
  const [printed] = page.consoleErrors;
  const failed = page.failedRequests.find(({ status }) => status >= 400);
  return [
    ...(faint === undefined ? [] : [words.chat.makeReadable({ text: cut(faint) })]),
    ...(printed ? [words.chat.mendConsole({ message: cut(printed.message) })] : []),
    ...(failed ? [words.chat.mendRequest({ url: cut(failed.url), status: failed.status })] : []),
  ];
}

function endsInQuestion({ items }: Turn): boolean {
  const last = items.findLast(({ kind }) => kind === "text" || kind === "call");
  return last?.kind === "text" && /[?？]\s*$/.test(textOf(last.text));
}

const cut = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > REPEATED ? `${line.slice(0, REPEATED)}…` : line;
};
