import type { CodedText, Evidence, PageReport } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { capitalized, wordsOf } from "../words/coded-words.ts";
import { firstError } from "./first-error.ts";

/** The main error of a failed revision. */
export interface Failure {
  error: string;
  /** A text that names the source position of the error. */
  source?: string;
}

/** Number of characters by which an error is recognised in a sentence, which the server may have truncated. */
const KEY_CHARS = 150;

/** The error that made a revision fail; undefined if it did not fail. */
export function failureOf(evidence: Evidence): Failure | undefined {
  const { verdict, part, reason, reasonCode } = judge(evidence);
  if (verdict !== "failed") return undefined;
  const found =
    part === "install" || part === "build"
      ? asFailure(firstError(evidence))
      : part === "page" || part === "console"
        ? quotedError(evidence.pages, evidence.parts[part].summary)
        : undefined;
  if (found) return found;
  const [first] = clausesIn(reasonCode);
  const words = typeof first === "object" ? wordsOf(first) : undefined;
  return { error: capitalized(words ?? reason) };
}

/** Whether a sentence already contains the error. */
export const containsError = (sentence: string, { error }: Failure): boolean =>
  sentence.toLowerCase().includes(error.slice(0, KEY_CHARS).toLowerCase());

/** All clauses of a coded text, at any depth; the text itself if it is not a list of clauses. */
export function clausesIn(coded: CodedText | undefined): (string | CodedText)[] {
  if (coded === undefined) return [];
  const parts = coded.code === "clauses" ? coded.values?.["parts"] : undefined;
  if (!Array.isArray(parts)) return [coded];
  return (parts as (string | CodedText)[]).flatMap((part) =>
    typeof part === "string" ? [part] : clausesIn(part),
  );
}

const asFailure = (error: string | undefined): Failure | undefined =>
  error === undefined ? undefined : { error };

/** The page's error that the summary quotes; undefined if it quotes none. */
function quotedError(pages: readonly PageReport[], summary: string): Failure | undefined {
  const errors = pages.flatMap(({ uncaughtErrors, consoleErrors, overlay }): Failure[] => [
    ...[...uncaughtErrors, ...consoleErrors].map(({ message, source }) => ({
      error: firstLine(message),
      ...(source !== undefined && { source }),
    })),
    ...(overlay === undefined ? [] : [{ error: firstLine(overlay), source: overlay }]),
  ]);
  return errors.find((one) => one.error !== "" && containsError(summary, one));
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";
