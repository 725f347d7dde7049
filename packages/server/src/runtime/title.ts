/** Characters of a project's name. */
export const NAME_LIMIT = 80;
const TITLE_LIMIT = 40;

/** A name as it is kept: one line, without characters that nobody sees or that turn the text around. May be empty. */
export function plainName(text: string): string {
  // The joiner stays: families and flags are drawn with it.
  return text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cs}]|(?!\u200d)\p{Cf}/gu, "")
    .trim();
}

/** What people put before what they want. */
const OPENING =
  /^(?:please|pls|hi|hello|hey|can you|could you|would you|i want you to|i want|i need|i'd like|let's|help me|to|and|,)\s+/i;
const VERB =
  /^(?:build|make|create|write|develop|design|generate|implement|code|give)(?:\s+(?:me|us))?\s+/i;
const ARTICLE = /^(?:an?|the|some|my|our)\s+/i;

/** A short name for a project, from its first prompt: "Build a todo app" gives "Todo app". Never empty. */
export function titleOf(prompt: string): string {
  // Only the start is looked at: a prompt may be 200,000 characters long.
  let text = plainName(prompt.slice(0, 400));
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replace(OPENING, "");
  }
  text = text.replace(VERB, "").replace(ARTICLE, "");
  text = text.split(/[.!?;:\n]|,\s|\s(?:that|which|where|with|using|so that)\s/i)[0]?.trim() ?? "";
  if (text.length > TITLE_LIMIT) {
    const cut = text.slice(0, TITLE_LIMIT + 1);
    text = `${cut.slice(0, Math.max(cut.lastIndexOf(" "), TITLE_LIMIT / 2)).trim()}…`;
  }
  if (text === "") return "New project";
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
