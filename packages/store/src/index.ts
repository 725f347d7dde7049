export type * from "./types.ts";
export { StoreError } from "./types.ts";
