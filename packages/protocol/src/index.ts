/**
 * Types shared by Treadle's parts: its log, evidence, tools and API. Also re-exports the parsers of
 * model output under their stable names; Treadle itself imports them from `@treadle/dialects`.
 */
export {
  applyEdits,
  applyPatch,
  createArtifactParser,
  createToolTagParser,
  parsePatch,
  parseSearchReplace,
} from "@treadle/dialects";
export type * from "@treadle/dialects";
export type * from "./project-path/index.ts";
export type * from "./sentences/types.ts";
export type * from "./evidence/index.ts";
export type * from "./log/types.ts";
export type * from "./log/comment.ts";
export type * from "./log/context.ts";
export type * from "./log/mentioned.ts";
export type * from "./log/parallel.ts";
export type * from "./log/protected-files.ts";
export type * from "./log/question.ts";
export type * from "./log/todo.ts";
export type * from "./tab/index.ts";
export type * from "./accounts/index.ts";
export type { CacheLevel, ThinkingLevel } from "./models/index.ts";
export type * from "./api/account.ts";
export type * from "./api/app-request.ts";
export type * from "./api/mcp.ts";
export type * from "./api/together.ts";
export type * from "./api/types.ts";
export type * from "./api/comparison.ts";
export type * from "./api/database.ts";
export type * from "./api/design.ts";
export type * from "./api/elsewhere.ts";
export type * from "./api/notification.ts";
export type * from "./api/publication.ts";
export type * from "./api/share.ts";
export type * from "./api/model-rules.ts";
export type * from "./api/quotas.ts";
export type * from "./api/review.ts";
export type * from "./api/spending.ts";
