export { sentence, type SentenceCode } from "./sentence.ts";
export type { CodedText, CodedValue, Message, Sentence } from "./types.ts";
export { clauses, verdictSentence } from "./verdict-sentence.ts";
export { asMessage, asSentence, errorSentence, sentenceIn } from "./write-sentence.ts";
