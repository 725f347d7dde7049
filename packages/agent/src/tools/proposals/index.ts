/** Decides whether a file's new content may be written; also used for writes outside of a run. */
export { judgeWrite, type Judgement, type ProposedWrite, type WritePlace } from "./judge-write.ts";
export { whyLeftOut } from "./left-out.ts";
