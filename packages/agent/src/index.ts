export { compactNow } from "./context/compact-now.ts";
export { gatherEvidence, type EvidenceRequest } from "./evidence/gather-evidence.ts";
export { EnhanceError, enhancePrompt } from "./enhance/enhance-prompt.ts";
export { judgeConsole } from "./evidence/console.ts";
export { pageProblem } from "./evidence/page-problem.ts";
export { evidenceText } from "./evidence/evidence-text.ts";
export type { ProviderKey } from "./models/access.ts";
export { CHECKS_FILE } from "./checks/parse-checks.ts";
export { readChecks } from "./checks/read-checks.ts";
export { agreedChecks, type Standing, type StandingChecks } from "./checks/standing-checks.ts";
export { connectMcp, type McpReach } from "./mcp/connect-mcp.ts";
export { definitionDigest } from "./mcp/definition-digest.ts";
export { describeChange } from "./mcp/describe-change.ts";
export { DESCRIPTION_LIMIT, LOG_LIMIT } from "./mcp/limits.ts";
export type { McpPipe } from "./mcp/pipe-transport.ts";
export { readMcpConfig } from "./mcp/read-config.ts";
export { signIn, type SignInProvider } from "./mcp/sign-in.ts";
export { isForeign } from "./mcp/tool-of.ts";
export { McpError } from "./mcp/types.ts";
export type * from "./mcp/types.ts";
export {
  createModelRegistry,
  type ModelProblem,
  type ModelRegistry,
  type Resolved,
} from "./models/registry.ts";
export { isOutputName } from "./outputs/output-name.ts";
export type { OutputPort } from "./outputs/types.ts";
export { planPart } from "./run/plan-part.ts";
export { runTurn } from "./run/run-turn.ts";
export { problemsPart } from "./run/with-problems.ts";
export {
  obeyedVersion,
  obeyedVersions,
  readStanding,
  type IsAccepted,
} from "./ask/standing-obeyed.ts";
export { isObeyedPath } from "./ask/obeyed-path.ts";
export { isManifest } from "./ask/hooks-changed.ts";
export { findRules, type FoundRule } from "./briefing/project-rules.ts";
export { toldToModel } from "./briefing/told-to-model.ts";
export { seesPictures } from "./models/sees-pictures.ts";
export { parseSkill } from "./skills/parse-skill.ts";
export { PAGE_ACTS, TEMPLATE_NAMES } from "./types.ts";
export type * from "./types.ts";
export type * from "./ask/types.ts";
export type * from "./briefing/types.ts";
export type { MentionSources } from "./mentions/types.ts";
export { shownPath } from "./text/shown-path.ts";
