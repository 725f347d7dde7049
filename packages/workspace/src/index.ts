export type * from "./types.ts";
export { WorkspaceError } from "./types.ts";
