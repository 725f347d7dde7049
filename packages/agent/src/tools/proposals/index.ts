/** What decides whether a file's new content may be written; also for who writes without a run. */
export { judgeWrite, type Judgement, type ProposedWrite, type WritePlace } from "./judge-write.ts";
export { whyLeftOut } from "./left-out.ts";
