/** The texts of all that the first page does not show. */
export { changes } from "./changes.ts";
