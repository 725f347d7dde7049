export { meantCommand } from "./command.ts";
export { lastLineEnd, meantContent, PROSE_FILE } from "./content.ts";
export { meantPath } from "./path.ts";
export { createShownWords, type ShownWords } from "./shown-words.ts";
export { unreadCall } from "./unread.ts";
