export { ENGLISH, sentence, type SentenceCode } from "./sentence.ts";
export type { CodedText, CodedValue, Sentence } from "./types.ts";
export { clauses, verdictSentence } from "./verdict-sentence.ts";
export { asSentence } from "./write-sentence.ts";
