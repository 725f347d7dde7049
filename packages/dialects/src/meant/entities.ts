import { decodeEntities } from "../text/entities.ts";

const ENTITY = /&(?:lt|gt|amp|quot|apos|#39|#x27);/gi;

/** An ampersand that begins no entity. */
const BARE = /&(?!(?:lt|gt|amp|quot|apos|#\w+);)/i;

/** A text with its entities read once. Those of quotes and ampersands stay where the same are written, too: they are meant. */
export function withoutEntities(text: string): string {
  const hasBare = BARE.test(text);
  return text.replaceAll(ENTITY, (entity) => {
    const character = decodeEntities(entity);
    const isMeant =
      character === "&" ? hasBare : /["']/.test(character) && text.includes(character);
    return isMeant ? entity : character;
  });
}

/** Whether a text has entities, and nothing of what they stand for is written beside them. */
export function isEscaped(text: string): boolean {
  return /&(?:lt|gt|amp|quot);/i.test(text) && !/[<>]/.test(text) && !BARE.test(text);
}
