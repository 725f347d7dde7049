/** The mention that is being typed at a place of a text: where its `@` stands, and what follows it up to there. */
export interface TypedMention {
  start: number;
  query: string;
}

/** Characters of a query: what is longer is no search any more. */
const LONGEST = 200;

/** Undefined where no `@` begins a word before the caret, as the grammar of mentions has it. */
export function typedMention(text: string, caret: number): TypedMention | undefined {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const match = /(?:^|[\s([{<])@(?:"([^"\n]*)|([^\s"'`@]*))$/u.exec(before);
  if (!match) return undefined;
  const query = match[1] ?? match[2] ?? "";
  return { start: caret - query.length - (match[1] === undefined ? 1 : 2), query };
}
