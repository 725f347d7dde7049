export { meantCommand } from "./command.ts";
export { lastLineEnd, meantContent, PROSE_FILE } from "./content.ts";
export { meantPath } from "./path.ts";
export { unreadCall } from "./unread.ts";
