export type * from "./types.ts";
export { ListenError } from "./types.ts";
