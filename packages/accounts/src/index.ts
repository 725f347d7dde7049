export { ACTIONS, actionOf, type Action } from "./access/actions.ts";
export { createAuditForwarder, type AuditForwarder } from "./audit-forwarding/audit-forwarding.ts";
export type { Accounts } from "./open-accounts.ts";
export { asPrincipal, currentAuthor, currentPrincipal } from "./access/current.ts";
export {
  createAuthority,
  type Authority,
  type Holder,
  type ProjectRoles,
} from "./access/authority.ts";
export {
  authorize,
  LOCAL_OWNER,
  ownsEverything,
  SERVER,
  type Decision,
  type Principal,
  type Resource,
} from "./access/authorize.ts";
export { createModelRules, type KeyOwner, type ModelRules } from "./models/model-rules.ts";
export { monthBudgetReached } from "./spending/month-budget-reached.ts";
export type { Purpose, SpendingEntry } from "./spending/spending.ts";
export type { OidcSignIn } from "./oidc/oidc-sign-in.ts";
export { readOidcSettings, type OidcSettings } from "./oidc/oidc-settings.ts";
export type { AccessLink } from "./people/access-links.ts";
export type { LinkTerms } from "./people/links.ts";
export { createRunLine, type RunLine } from "./people/run-line.ts";
export type { Person } from "./people/people.ts";
export type { ReviewAct, Reviews } from "./reviews/reviews.ts";
export type { StoredReview } from "./reviews/review-rows.ts";
export type { Asker } from "./sign-in/credentials.ts";
