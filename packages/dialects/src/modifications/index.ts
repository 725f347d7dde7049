export { applyModification, parseModifications } from "./parse.ts";
export { formatModifications, toModification } from "./serialize.ts";
export type { ApplyModificationResult, FileModification, Modification } from "./types.ts";
