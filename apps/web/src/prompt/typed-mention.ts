/** The mention being typed: the position of its `@`, and the text after it up to the caret. */
export interface TypedMention {
  start: number;
  query: string;
}

/** Maximum characters of a query; anything longer is not a search. */
const MAX_QUERY_CHARS = 200;

/** The mention being typed at the caret; undefined if no `@` begins a word before it, by the grammar of mentions. */
export function typedMention(text: string, caret: number): TypedMention | undefined {
  const before = text.slice(Math.max(0, caret - MAX_QUERY_CHARS), caret);
  const match = /(?:^|[\s([{<])@(?:"([^"\n]*)|([^\s"'`@]*))$/u.exec(before);
  if (!match) return undefined;
  const query = match[1] ?? match[2] ?? "";
  return { start: caret - query.length - (match[1] === undefined ? 1 : 2), query };
}
