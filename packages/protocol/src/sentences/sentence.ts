import { CALLS } from "./english-calls.ts";
import { EVIDENCE } from "./english-evidence.ts";
import { GATE } from "./english-gate.ts";
import { PUBLISHING } from "./english-publishing.ts";
import { GIT } from "./english-git.ts";
import { RUNS } from "./english-runs.ts";
import { VERDICTS } from "./english-verdicts.ts";
import { WAITS } from "./english-waits.ts";
import { sentencesOf } from "./write-sentence.ts";

/** The English text of every code. */
export const ENGLISH = {
  ...CALLS,
  ...VERDICTS,
  ...EVIDENCE,
  ...RUNS,
  ...WAITS,
  ...GATE,
  ...PUBLISHING,
  ...GIT,
};

/** A code that Treadle writes. */
export type SentenceCode = keyof typeof ENGLISH;

/** A sentence by its code. */
export const sentence = sentencesOf(ENGLISH);
