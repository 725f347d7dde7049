import type { CodedText, Evidence } from "@treadle/protocol";
import { faultsOf, isSound, judge } from "@treadle/protocol/evidence";
import { type SentenceCode } from "@treadle/protocol/sentences";
import { holdsContent } from "@treadle/protocol/tools";
import { clausesIn, containsError, type Failure } from "../evidence/failure.ts";
import { capitalized, wordsOf } from "../words/coded-words.ts";
import { heldParts, notableParts } from "./held-parts.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { words } from "../words/words.ts";

export interface EndWords {
  /** The card's title, one or two words; undefined if the turn has no card. */
  title?: string;
  /** Facts from the evidence, such as checks that passed, shown beside "Verified". */
  seen?: string[];
  /** Evidence for the turn's final revision, if it works. */
  evidence?: Evidence;
  /** The sentence below the title. */
  text?: string;
  /** The model's own words; undefined if the turn failed, or if the model wrote none. */
  modelWords?: string;
}

/**
 * Describes a turn's result for its card or line.
 * @param back why the verdict no longer holds
 * @param known the evidence for the turn's revision
 * @param now the current evidence for the revision; undefined uses that of the turn's last look
 * @param failure the error at the top of the card, which the sentence does not repeat
 * @param last whether this is the last turn; only the last turn has the Continue button that the sentence mentions
 */
export function describeEnd(
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
  const text = besideFailure(failure, summaryWithoutVerdict(end, last), end.summaryCode);
  if (end.outcome !== "done") return { title: words.conversation.outcomes[end.outcome], text };
  // A turn that ended normally and changed nothing has no verdict; its answer is enough.
  const own = (end.verdict !== "failed" && ownWords(end)) || undefined;
  if (end.verdict === undefined) return unchangedWords(turn, end, own);
  const evidence = isSound(end.verdict) ? (now ?? lastLookEvidence(turn, end.revision)) : undefined;
  if (!evidence || heldParts(evidence).length === 0)
    return { title: words.verdict[end.verdict], text, modelWords: own };
  const { verdict } = now ? judge(now) : end;
  const title = words.verdict[verdict ?? end.verdict];
  // Untried items are listed separately, so only the turn's problems and whether it changed nothing are left to
  // mention.
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

/** Applies the verdict of a later look at the files that a turn left. */
export function withLaterVerdict(end: RunEnd, evidence: Evidence): RunEnd {
  const { verdict, reason, reasonCode } = judge(evidence);
  const { summaryCode: _before, ...rest } = end;
  return { ...rest, verdict, summary: `${reason}.`, summaryCode: reasonCode };
}

/** Describes a turn that changed nothing. Failed attempts are mentioned before the model's own words. */
function unchangedWords(turn: Turn, { summaryCode }: RunEnd, own: string | undefined): EndWords {
  const tried = summaryCode?.code === "nothing-changed-but" ? summaryCode.values : undefined;
  // Writing a file without changing it counts as a failed attempt, like a refused edit.
  const wrote = turn.items.some(
    (item) => item.kind === "call" && item.status === "ok" && holdsContent(item.tool),
  );
  const isVain = tried !== undefined || (summaryCode?.code === "nothing-changed" && wrote);
  if (!isVain) return { modelWords: own };
  const text =
    tried && sentenceOf("", { code: "clauses", values: { parts: tried["faults"] ?? [] } });
  return { title: words.conversation.nothingChanged, text, modelWords: own };
}

/**
 * The summary without the verdict's word, which the card already shows, or else the error's message. Undefined if there
 * is no text. An earlier turn without a verdict has no Continue button, so the sentence about it is removed.
 */
function summaryWithoutVerdict(end: RunEnd, last: boolean): string | undefined {
  const { verdict, summary, summaryCode, error } = end;
  const logged = summary === "" ? (error?.message ?? "") : summary;
  const bare = logged.replace(/^(?:(?:Verified|Runs|Failed|Not verified): |Stopped\. )/, "");
  const shownText =
    last || verdict !== undefined ? bare : bare.replace(/ ?\bContinue [^.]*\.$/, "");
  return shownText === "" ? undefined : sentenceOf(shownText, summaryCode);
}

/**
 * The part of a sentence that does not repeat the error at the top of the card. Returns the whole sentence if it has no
 * code, as in older logs, or a code that this page does not know; undefined if nothing is left.
 */
function besideFailure(
  failure: Failure | undefined,
  text: string | undefined,
  coded: CodedText | undefined,
): string | undefined {
  if (!failure || coded === undefined) return text;
  const parts = clausesIn(coded).map((part) => (typeof part === "string" ? part : wordsOf(part)));
  if (parts.includes(undefined)) return text;
  const rest = parts.filter((part) => part !== undefined && !containsError(part, failure));
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

/** The evidence of the turn's last look at a revision; undefined if the turn did not look at it. */
export function lastLookEvidence({ items }: Turn, revision: string): Evidence | undefined {
  const look = items.findLast(
    (item) => item.kind === "look" && item.evidence.revision === revision,
  );
  return look?.kind === "look" ? look.evidence : undefined;
}

/** A server sentence with an initial capital and a final full stop. */
function sentenceOf(text: string, coded: CodedText | undefined): string {
  const sentence = coded === undefined ? text : (wordsOf(coded) ?? text);
  const isFinished = /[.!?…。！？]$/.test(sentence);
  const begun = capitalized(sentence);
  return isFinished ? begun : words.conversation.sentence({ text: begun });
}
