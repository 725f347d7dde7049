export { canStart, installMissing } from "./project/install-missing.ts";
export { compactNow } from "./context/compaction/compact-now.ts";
export { gatherEvidence, type EvidenceRequest } from "./evidence/gather-evidence.ts";
export { tryCheck } from "./evidence/checks/try-check.ts";
export { isBroken } from "./evidence/looks/look-at-pages.ts";
export { pageFault } from "./evidence/looks/page-fault.ts";
export { excuseOf, stillWanted } from "./evidence/wanted-hosts.ts";
export { noUsage, projectBudgetReached } from "./budget/budget.ts";
export { completeCode } from "./models/complete-code.ts";
export { EnhanceError, enhancePrompt } from "./models/enhance-prompt.ts";
export { readFacts, type ProjectFacts } from "./project/project-facts.ts";
export { isMigration, migrate, migratedFile } from "./project/migrations.ts";
export { meansPostgres } from "./project/means-postgres.ts";
export { INSTALL_LIMITS } from "./project/install-limits.ts";
export { judgeConsole } from "./preview/judge-console.ts";
export { pageProblem } from "./preview/page-problem.ts";
export { evidenceText } from "./text/evidence-text.ts";
export type { ProviderKey } from "./models/access.ts";
export { CHECKS_FILE } from "./checks/parse-checks.ts";
export { readChecks } from "./checks/read-checks.ts";
export { agreedChecks, type ChecksStore, type CountedChecks } from "./checks/which-checks-count.ts";
export { connectMcp, type McpReach } from "./mcp/connect-mcp.ts";
export { definitionDigest } from "./mcp/definition-digest.ts";
export { describeChange } from "./mcp/describe-change.ts";
export { DESCRIPTION_LIMIT, LOG_LIMIT } from "./mcp/limits.ts";
export type { McpPipe } from "./mcp/pipe-transport.ts";
export { readMcpConfig } from "./mcp/read-config.ts";
export { signIn, type SignInProvider } from "./mcp/sign-in.ts";
export { McpError } from "./mcp/types.ts";
export type * from "./mcp/types.ts";
export {
  createModelRegistry,
  type ModelProblem,
  type ModelRegistry,
  type ResolvedModel,
} from "./models/registry.ts";
export { isOutputName } from "./tools/outputs/output-name.ts";
export type { OutputPort } from "./tools/outputs/types.ts";
export { planPart } from "./context/parts/plan-part.ts";
export { runTurn } from "./loop/run-turn.ts";
export { problemsPart } from "./context/parts/with-problems.ts";
export {
  protectedVersion,
  protectedVersions,
  readFileVersion,
  type IsAccepted,
} from "./trust/protected-files.ts";
export { isManifest } from "./trust/hooks-changed.ts";
export { findRules, type FoundRule } from "./context/briefing/project-rules.ts";
export { toldToModel } from "./trust/told-to-model.ts";
export { playModel, type NextAnswer } from "./models/recording/play-model.ts";
export { meterModel } from "./models/meter-model.ts";
export { recordModel } from "./models/recording/record-model.ts";
export {
  EXCHANGE_KINDS,
  type ExchangeKind,
  type RecordedExchange,
  type RecordedMessage,
  type RecordedPart,
  type RecordedRequest,
} from "./models/recording/types.ts";
export { offeredCacheLevels } from "./models/prompt-cache.ts";
export { seesPictures } from "./models/sees-pictures.ts";
export { OWN_SKILLS } from "./context/skills/own-skills.ts";
export { projectSkills } from "./context/skills/project-skills.ts";
export { parseSkill } from "./context/skills/parse-skill.ts";
export { PAGE_ACTS } from "./ports/browser.ts";
export { TEMPLATE_NAMES } from "./ports/templates.ts";
export type * from "./loop/types.ts";
export type * from "./ports/clock.ts";
export type * from "./ports/data-copies.ts";
export type * from "./ports/limits.ts";
export type * from "./ports/log.ts";
export type * from "./ports/browser.ts";
export type * from "./ports/model.ts";
export type * from "./ports/pictures.ts";
export type * from "./ports/recorded-work.ts";
export type * from "./ports/templates.ts";
export type { ChangedFile } from "./context/parts/changed-files.ts";
export type * from "./calls/approvals.ts";
export { tellFiles } from "./context/briefing/told-briefing.ts";
export type * from "./context/briefing/types.ts";
export type { MentionSources } from "./context/mentions/types.ts";
export { shownPath } from "./text/shown-path.ts";
export { installCommand } from "./project/install-command.ts";
export { ownServer, resolved, startsServerBeside } from "./project/own-server.ts";
export { inProject, type Manifest } from "./project/project-facts.ts";
export { serverCommand } from "./project/server-command.ts";
export { takesChanges } from "./project/takes-changes.ts";
