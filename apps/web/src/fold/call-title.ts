import { codedWords } from "../words/coded-words.ts";
import { callWords } from "./phase.ts";
import type { CallItem } from "./types.ts";
import { languageTag } from "../words/words.ts";

/** The title of a finished call in the page's language; undefined if the log lacks the call's end. */
export function callTitle(call: CallItem): string | undefined {
  const { title, titleCode, status } = call;
  if (title === undefined || languageTag() === "en") return title;
  // A call that was not executed is described by what it was about to do.
  const isUnexecuted = status === "denied" && titleCode !== undefined;
  return codedWords(
    title,
    isUnexecuted ? { code: titleCode.code, values: { what: callWords(call) } } : titleCode,
  );
}
