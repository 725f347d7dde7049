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
export {
  type ActionHead,
  ARTIFACT_LIMITS,
  type ArtifactErrorCode,
  type ArtifactErrorEvent,
  type ArtifactEvent,
  type ArtifactLimits,
  type ArtifactParser,
  type ArtifactParserOptions,
  createArtifactParser,
  projectPath,
  type QuickActionEvent,
} from "./artifact/index.ts";
export {
  ARGUMENT_LIMITS,
  type ArgumentEvent,
  type ArgumentLimits,
  type ArgumentPath,
  type ArgumentReader,
  type ArgumentReaderOptions,
  createArgumentReader,
} from "./json-arguments/index.ts";
export {
  applyEdits,
  createEditApplier,
  type Edit,
  type EditApplier,
  type EditFailure,
  type EditFailureReason,
  type EditResult,
} from "./edits/index.ts";
