import { callWords } from "./phase.ts";
import { saidWords } from "./said-words.ts";
import type { CallItem } from "./types.ts";
import { languageTag, words } from "../words/words.ts";

/** How a call that is over is told; undefined where its end was never told. */
export function callTitle(call: CallItem): string | undefined {
  const { title } = call;
  if (title === undefined || languageTag() === "en") return title;
  return title.startsWith("Denied: ")
    ? words.fold.denied({ what: callWords(call) })
    : saidWords(title);
}
