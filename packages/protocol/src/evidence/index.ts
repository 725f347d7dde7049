export { filePlaces, type PlaceInSource } from "./file-places.ts";
export { faultWords, heldWords, judge, untriedEvidence } from "./judge.ts";
export {
  EVIDENCE_PARTS,
  type CheckReport,
  type CheckStep,
  type ProvesNothing,
  type Evidence,
  type EvidencePart,
  type PageProblem,
  type PagePicture,
  type PageReport,
  type PageWant,
  type PartEvidence,
  type PartState,
  type TurnFault,
  type Verdict,
  type WantedHost,
} from "./types.ts";
