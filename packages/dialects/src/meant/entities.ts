import { decodeEntities } from "../text/entities.ts";

const ENTITY = /&(?:lt|gt|amp|quot|apos|#39|#x27);/gi;

/** An ampersand that does not begin an entity. */
const BARE = /&(?!(?:lt|gt|amp|quot|apos|#\w+);)/i;

/**
 * Decodes entities once. Those of quotes and ampersands are kept if the plain characters occur as
 * well, since they are then intended.
 */
export function withoutEntities(text: string): string {
  const hasBare = BARE.test(text);
  return text.replaceAll(ENTITY, (entity) => {
    const character = decodeEntities(entity);
    const isMeant =
      character === "&" ? hasBare : /["']/.test(character) && text.includes(character);
    return isMeant ? entity : character;
  });
}

/** Whether a text has entities and none of the characters that they stand for. */
export function isEscaped(text: string): boolean {
  return /&(?:lt|gt|amp|quot);/i.test(text) && !/[<>]/.test(text) && !BARE.test(text);
}
