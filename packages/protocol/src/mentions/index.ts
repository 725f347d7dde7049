export { MENTION_LENGTH, parseMentions } from "./parse.ts";
export { pointsOnlyAt } from "./points-only-at.ts";
export type { LineRange, Mention, MentionKind, MentionTarget, MentionWord } from "./types.ts";
export { MENTION_WORDS } from "./types.ts";
export { writeMention, writeResource } from "./write.ts";
