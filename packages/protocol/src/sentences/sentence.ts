import { ACCOUNTS } from "./english/accounts.ts";
import { CALLS } from "./english/calls.ts";
import { DATA } from "./english/data.ts";
import { DESIGN } from "./english/design.ts";
import { ELSEWHERE } from "./english/elsewhere.ts";
import { EVIDENCE } from "./english/evidence.ts";
import { FILES } from "./english/files.ts";
import { GATE } from "./english/gate.ts";
import { GIT } from "./english/git.ts";
import { MODELS } from "./english/models.ts";
import { NOTIFICATIONS } from "./english/notifications.ts";
import { PROJECTS } from "./english/projects.ts";
import { PUBLISHING } from "./english/publishing.ts";
import { REQUESTS } from "./english/requests.ts";
import { REVIEWS } from "./english/reviews.ts";
import { RUNS } from "./english/runs.ts";
import { TOOLS } from "./english/tools.ts";
import { VERDICTS } from "./english/verdicts.ts";
import { WAITS } from "./english/waits.ts";
import { WORKSPACE } from "./english/workspace.ts";
import { sentencesOf } from "./write-sentence.ts";

const ENGLISH = {
  ...ACCOUNTS,
  ...CALLS,
  ...DATA,
  ...DESIGN,
  ...ELSEWHERE,
  ...EVIDENCE,
  ...FILES,
  ...GATE,
  ...GIT,
  ...MODELS,
  ...NOTIFICATIONS,
  ...PROJECTS,
  ...PUBLISHING,
  ...REQUESTS,
  ...REVIEWS,
  ...RUNS,
  ...TOOLS,
  ...VERDICTS,
  ...WAITS,
  ...WORKSPACE,
};

/** A code of Treadle's own sentences. */
export type SentenceCode = keyof typeof ENGLISH;

/** Creates a sentence by its code. */
export const sentence = sentencesOf(ENGLISH);
