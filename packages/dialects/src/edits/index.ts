export { applyEdits, createEditApplier, type EditApplier } from "./apply.ts";
export { applyMeantEdits } from "./apply-meant.ts";
export type { Edit, EditFailure, EditFailureReason, EditResult } from "./types.ts";
