/** The texts of all that the first page does not show. */
export { changes } from "./changes.ts";
export { evidence } from "./evidence.ts";
export { history } from "./history.ts";
export { models } from "./models.ts";
export { workbench } from "./workbench.ts";
