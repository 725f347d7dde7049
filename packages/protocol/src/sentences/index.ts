export {
  asSentence,
  clauses,
  codeField,
  ENGLISH,
  sentence,
  type SentenceCode,
} from "./sentence.ts";
export type { CodedText, CodedValue, Sentence } from "./types.ts";
