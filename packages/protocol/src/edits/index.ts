export { applyEdits, createEditApplier, type EditApplier } from "./apply.ts";
export type { Edit, EditFailure, EditFailureReason, EditResult } from "./types.ts";
