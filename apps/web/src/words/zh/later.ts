/** The texts of all that the first page does not show. */
export { changes } from "./changes.ts";
export { evidence } from "./evidence.ts";
export { files } from "./files.ts";
export { history } from "./history.ts";
export { models } from "./models.ts";
export { terminal } from "./terminal.ts";
export { workbench } from "./workbench.ts";
