export { createArtifactParser } from "./parse.ts";
export { createLenientArtifactParser } from "./lenient.ts";
export { ARTIFACT_LIMITS } from "./limits.ts";
export { readQuickActions } from "./quick-actions.ts";
export { recognizeFence } from "./recognize-fence.ts";
export { recoverFences } from "./recovery.ts";
export { attributesOf, TAG_NAMES, TAG_PATTERNS } from "./tag-patterns.ts";
export { isFileName } from "./file-names.ts";
export { projectPath } from "./project-path.ts";
export type {
  ActionHead,
  ArtifactErrorCode,
  ArtifactErrorEvent,
  ArtifactEvent,
  ArtifactLimits,
  ArtifactParser,
  ArtifactParserOptions,
  Found,
  QuickActionEvent,
} from "./types.ts";
export {
  type ActionText,
  type ArtifactText,
  formatActionResult,
  formatArtifact,
} from "./serialize.ts";
