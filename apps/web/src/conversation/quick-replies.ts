import type { Evidence, SendMessage, TodoItem } from "@treadle/protocol";
import { unprovenItems } from "@treadle/protocol/evidence";
import { textOf } from "../fold/gathered.ts";
import type { Turn } from "../fold/types.ts";
import { words } from "../words/words.ts";

/** Maximum number of replies offered. */
const MAX_REPLIES = 3;
/** Maximum characters that a reply quotes. */
const MAX_QUOTED_CHARS = 60;

type QuickReply = Pick<SendMessage, "text" | "prove">;

/**
 * Replies to the last turn, each complete enough to be sent unchanged. Each refers to something specific: a question by
 * the model, an open to-do item, a requested item that was not tried, or a remark about a page that works. None for a
 * turn that failed, was stopped or has a plan.
 */
export function quickReplies(
  turn: Turn,
  evidence: Evidence | undefined,
  todo: readonly TodoItem[] = [],
): QuickReply[] {
  const { end } = turn;
  // A failed turn has its own next actions, and a plan has its card.
  if (end?.outcome !== "done" || end.verdict === "failed" || turn.plan !== undefined) return [];
  const asked = endsInQuestion(turn) ? [words.chat.doThat, words.chat.leaveIt] : [];
  const open = todo.find(({ status }) => status !== "done");
  const seen = evidence?.revision === end.revision ? evidence : undefined;
  return [
    ...asked.map(reply),
    ...(open ? [reply(words.chat.goOnWith({ what: cut(open.text) }))] : []),
    ...(seen ? [...untried(seen), ...remarks(seen).map(reply)] : []),
    ...(turn.mode === "discuss" && asked.length === 0 ? [reply(words.chat.doIt)] : []),
  ].slice(0, MAX_REPLIES);
}

const reply = (text: string): QuickReply => ({ text });

/** Replies that ask for a check of a requested item. Skips items that only the person can judge. */
function untried(evidence: Evidence): QuickReply[] {
  return unprovenItems(evidence).flatMap(({ what, why }) =>
    what === undefined || why === "by-eye"
      ? []
      : [{ text: words.chat.tryOut({ what: cut(what) }), prove: [what] }],
  );
}

/** Flaws of the last page that did not affect the verdict, such as faint text, as requests to fix them; often empty. */
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
  return line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS)}…` : line;
};
