/** The texts of all that the first page does not show. */
export { changes } from "./changes.ts";
export { chat } from "./chat.ts";
export { conversation } from "./conversation.ts";
export { evidence } from "./evidence.ts";
export { files } from "./files.ts";
export { fold } from "./fold.ts";
export { history } from "./history.ts";
export { models } from "./models.ts";
export { projectSettings } from "./projectSettings.ts";
export { terminal } from "./terminal.ts";
export { usage } from "./usage.ts";
export { workbench } from "./workbench.ts";
export { visual } from "./visual.ts";
export { editor } from "./editor.ts";
