import type { Evidence } from "@treadle/protocol";
import { heldWords, isSound, judge } from "@treadle/protocol/evidence";
import { holdsContent } from "@treadle/protocol/tools";
import { saidWords } from "../fold/said-words.ts";
import { heldParts } from "./held-parts.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { listed, words } from "../words/words.ts";

export interface EndWords {
  /** The card's first word or two; absent where a turn has no card. */
  title?: string;
  /** What was seen to hold, beside "Verified". */
  seen?: string;
  /** What was seen of the revision that the turn left, where it works. */
  evidence?: Evidence;
  /** The sentence under it. */
  text?: string;
  /** The model's own words; never where the work was seen not to hold. */
  said?: string;
}

/**
 * How a turn's end is said. The summary repeats the verdict's word, which the card has said already.
 * @param back why the verdict does not hold any more
 * @param now what is known of the revision by now; absent: what the turn's last look saw
 * @param last what it says about Continue is for the turn that has the button: a click there goes on with all of them
 */
export function endWords(
  turn: Turn,
  end: RunEnd,
  last: boolean,
  { back, now }: { back?: string | undefined; now?: Evidence | undefined } = {},
): EndWords {
  const { text, ...rest } = wordsAsLogged(turn, end, last, { back, now });
  return text === undefined ? rest : { ...rest, text: saidWords(text) };
}

/** A turn's end with the verdict of a later look at the files that it left. */
export function endAsSeen(end: RunEnd, evidence: Evidence): RunEnd {
  const { verdict, reason } = judge(evidence);
  return { ...end, verdict, summary: `${reason}.` };
}

/** The sentence as the server wrote it. */
function wordsAsLogged(
  turn: Turn,
  end: RunEnd,
  last: boolean,
  { back, now }: { back?: string | undefined; now?: Evidence | undefined },
): EndWords {
  if (back !== undefined)
    return { title: words.conversation.notAnyMore, text: sentenceOf(`${back}.`) };
  const said = sentenceOf(end.summary === "" ? (end.error?.message ?? "") : end.summary);
  const reason = last ? said : said.replace(/ ?\bContinue [^.]*\.$/, "");
  const text = reason || undefined;
  if (end.outcome !== "done") return { title: words.conversation.outcomes[end.outcome], text };
  // A turn that was its own end and changed nothing has no verdict: its answer stands for itself.
  const own = (end.verdict !== "failed" && ownWords(end)) || undefined;
  if (end.verdict === undefined) {
    // What was tried in vain is said before the model's own word for it.
    const vain = /^Nothing was changed(?:: (.*)|\.)$/s.exec(said);
    const tried = vain?.[1] === undefined ? undefined : sentenceOf(vain[1]);
    // A file that was written as it stood is as much in vain as an edit that was refused.
    const wrote = turn.items.some(
      (item) => item.kind === "call" && item.status === "ok" && holdsContent(item.tool),
    );
    return vain && (tried !== undefined || wrote)
      ? { title: words.conversation.nothingChanged, text: tried, said: own }
      : { said: own };
  }
  const evidence = isSound(end.verdict) ? (now ?? lookedAt(turn, end.revision)) : undefined;
  const seen = evidence && seenWords(evidence);
  if (!evidence || !seen) return { title: words.verdict[end.verdict], text, said: own };
  const { verdict } = now ? judge(now) : end;
  const title = words.verdict[verdict ?? end.verdict];
  if (end.verdict === "runs" || verdict === "runs") {
    // What was not tried is listed; of the sentence only what went badly in the turn is left to say.
    const faults = /; (in this turn .*)$/s.exec(reason)?.[1];
    return { title, seen: seen.shown, text: faults && sentenceOf(faults), said: own, evidence };
  }
  // What is left is what went badly on the way there.
  const isSeen = reason.toLowerCase().startsWith(seen.logged.toLowerCase());
  const left = isSeen ? reason.slice(seen.logged.length).replace(/^(?:; |\.$)/, "") : reason;
  const more = left === "" ? undefined : left.charAt(0).toUpperCase() + left.slice(1);
  return { title, seen: seen.shown, text: more, said: own, evidence };
}

function ownWords({ said }: RunEnd): string {
  return [said?.done, said?.try]
    .filter((words) => words !== undefined && words !== "")
    .join("\n\n");
}

/** What the turn's last look saw of the revision that it ended with. */
function lookedAt({ items }: Turn, revision: string): Evidence | undefined {
  const look = items.findLast(
    (item) => item.kind === "look" && item.evidence.revision === revision,
  );
  return look?.kind === "look" ? look.evidence : undefined;
}

/** What was seen to hold, as the log and as the page say it. */
function seenWords(evidence: Evidence): { logged: string; shown: string } | undefined {
  const logged = heldWords(evidence);
  return logged.length > 0
    ? { logged: logged.join(", "), shown: listed(heldParts(evidence)) }
    : undefined;
}

function sentenceOf(summary: string): string {
  const reason = summary.replace(/^(?:(?:Verified|Runs|Failed|Not verified): |Stopped\. )/, "");
  // A command at the beginning keeps its own letters.
  if (/^(?:npm|npx|node|pnpm|yarn|vite)\b/.test(reason)) return reason;
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
