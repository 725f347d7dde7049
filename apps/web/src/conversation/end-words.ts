import type { CodedText, Evidence } from "@treadle/protocol";
import { faultsOf, isSound, judge } from "@treadle/protocol/evidence";
import { type SentenceCode } from "@treadle/protocol/sentences";
import { holdsContent } from "@treadle/protocol/tools";
import { clausesIn, saysError, type Failure } from "../evidence/failure.ts";
import { capitalized, wordsOf } from "../words/coded-words.ts";
import { heldParts, notableParts } from "./held-parts.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { words } from "../words/words.ts";

export interface EndWords {
  /** The card's first word or two; absent where a turn has no card. */
  title?: string;
  /** What is worth knowing of what was seen to hold, beside "Verified". */
  seen?: string[];
  /** What was seen of the revision that the turn left, where it works. */
  evidence?: Evidence;
  /** The sentence under it. */
  text?: string;
  /** The model's own words; never where the work was seen not to hold. */
  modelWords?: string;
}

/**
 * How a turn's end is said. The summary repeats the verdict's word, which the card has said already.
 * @param back why the verdict does not hold any more
 * @param known what is known of the turn's revision, which says so
 * @param now what is known of the revision by now; absent: what the turn's last look saw
 * @param failure the error that the card leads with, which its sentence does not repeat
 * @param last what it says about Continue is for the turn that has the button: a click there goes on with all of them
 */
export function endWords(
  turn: Turn,
  end: RunEnd,
  last: boolean,
  {
    back,
    known,
    now,
    failure,
  }: {
    failure?: Failure | undefined;
    back?: string | undefined;
    known?: Evidence | undefined;
    now?: Evidence | undefined;
  } = {},
): EndWords {
  if (back !== undefined)
    return {
      title: words.conversation.notAnyMore,
      text: besideFailure(
        failure,
        sentenceOf(back, codeOfReason(back, known)),
        codeOfReason(back, known),
      ),
    };
  const text = besideFailure(failure, wholeOf(end, last), end.summaryCode);
  if (end.outcome !== "done") return { title: words.conversation.outcomes[end.outcome], text };
  // A turn that was its own end and changed nothing has no verdict: its answer stands for itself.
  const own = (end.verdict !== "failed" && ownWords(end)) || undefined;
  if (end.verdict === undefined) return unchangedWords(turn, end, own);
  const evidence = isSound(end.verdict) ? (now ?? lookedAt(turn, end.revision)) : undefined;
  if (!evidence || heldParts(evidence).length === 0)
    return { title: words.verdict[end.verdict], text, modelWords: own };
  const { verdict } = now ? judge(now) : end;
  const title = words.verdict[verdict ?? end.verdict];
  // What was not tried is listed: what went badly in the turn is left to say, and that it changed nothing.
  const beside =
    end.summaryCode === undefined
      ? faultsOf(evidence).map((fault) => sentenceOf(fault.text, fault.coded))
      : clausesIn(end.summaryCode).flatMap((part) =>
          typeof part === "object" && BESIDE.has(part.code) ? [sentenceOf("", part)] : [],
        );
  const seen = notableParts(evidence);
  return { title, seen, text: beside.join(" ") || undefined, modelWords: own, evidence };
}

const BESIDE: ReadonlySet<string> = new Set<SentenceCode>(["in-this-turn", "unchanged-turn"]);

/** A turn's end with the verdict of a later look at the files that it left. */
export function endAsSeen(end: RunEnd, evidence: Evidence): RunEnd {
  const { verdict, reason, reasonCode } = judge(evidence);
  const { summaryCode: _before, ...rest } = end;
  return { ...rest, verdict, summary: `${reason}.`, summaryCode: reasonCode };
}

/** A turn that changed nothing: what it tried in vain is said before the model's own word for it. */
function unchangedWords(turn: Turn, { summaryCode }: RunEnd, own: string | undefined): EndWords {
  const tried = summaryCode?.code === "nothing-changed-but" ? summaryCode.values : undefined;
  // A file that was written as it stood is as much in vain as an edit that was refused.
  const wrote = turn.items.some(
    (item) => item.kind === "call" && item.status === "ok" && holdsContent(item.tool),
  );
  const isVain = tried !== undefined || (summaryCode?.code === "nothing-changed" && wrote);
  if (!isVain) return { modelWords: own };
  const text =
    tried && sentenceOf("", { code: "clauses", values: { parts: tried["faults"] ?? [] } });
  return { title: words.conversation.nothingChanged, text, modelWords: own };
}

/** All that the summary says, without the word of its verdict, which the card has said. */
function wholeOf(end: RunEnd, last: boolean): string | undefined {
  const { verdict, outcome, summary, summaryCode, error } = end;
  const logged = summary === "" ? (error?.message ?? "") : summary;
  const bare = logged.replace(/^(?:(?:Verified|Runs|Failed|Not verified): |Stopped\. )/, "");
  const shownText =
    last || verdict !== undefined ? bare : bare.replace(/ ?\bContinue [^.]*\.$/, "");
  return shownText === ""
    ? undefined
    : sentenceOf(shownText, outcome === "error" ? undefined : summaryCode);
}

/**
 * What a sentence says beside the error that the card leads with; all of it where it has no code, as in a log of before, or
 * one that this page does not know.
 */
function besideFailure(
  failure: Failure | undefined,
  text: string | undefined,
  coded: CodedText | undefined,
): string | undefined {
  if (!failure || coded === undefined) return text;
  const parts = clausesIn(coded).map((part) => (typeof part === "string" ? part : wordsOf(part)));
  if (parts.includes(undefined)) return text;
  const rest = parts.filter((part) => part !== undefined && !saysError(part, failure));
  return rest.map((part) => sentenceOf(part ?? "", undefined)).join(" ") || undefined;
}

function codeOfReason(reason: string, evidence: Evidence | undefined): CodedText | undefined {
  const judged = evidence && judge(evidence);
  return judged?.reason === reason ? judged.reasonCode : undefined;
}

function ownWords({ said: lastWords }: RunEnd): string {
  return [lastWords?.done, lastWords?.try]
    .filter((words) => words !== undefined && words !== "")
    .join("\n\n");
}

/** What the turn's last look saw of the revision that it ended with. */
export function lookedAt({ items }: Turn, revision: string): Evidence | undefined {
  const look = items.findLast(
    (item) => item.kind === "look" && item.evidence.revision === revision,
  );
  return look?.kind === "look" ? look.evidence : undefined;
}

/** A sentence of the server's as a line begins with it, and ends. */
function sentenceOf(text: string, coded: CodedText | undefined): string {
  const sentence = coded === undefined ? text : (wordsOf(coded) ?? text);
  const isWhole = /[.!?…。！？]$/.test(sentence);
  const begun = capitalized(sentence);
  return isWhole ? begun : words.conversation.sentence({ text: begun });
}
