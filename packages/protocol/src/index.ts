export { heldWords, judge, untriedEvidence } from "./evidence/judge.ts";
export {
  EVIDENCE_PARTS,
  type Evidence,
  type EvidencePart,
  type PageProblem,
  type PageReport,
  type PartEvidence,
  type PartState,
  type Verdict,
} from "./evidence/types.ts";
export type * from "./log/types.ts";
export type * from "./api/types.ts";
