import { codedWords } from "../words/coded-words.ts";
import { callWords } from "./phase.ts";
import type { CallItem } from "./types.ts";
import { languageTag } from "../words/words.ts";

/** How a call that is over is told; undefined where its end was never told. */
export function callTitle(call: CallItem): string | undefined {
  const { title, titleCode, status } = call;
  if (title === undefined || languageTag() === "en") return title;
  // What was not done is said as what was going to be done.
  const isLeft = status === "denied" && titleCode !== undefined;
  return codedWords(
    title,
    isLeft ? { code: titleCode.code, values: { what: callWords(call) } } : titleCode,
  );
}
