import { decodeEntities } from "../text/entities.ts";

const ENTITY = /&(?:lt|gt|amp|quot|apos|#39|#x27);/gi;

/** A text with its entities read once. Those of quotes stay where the same quotes are written, too. */
export function withoutEntities(text: string): string {
  return text.replaceAll(ENTITY, (entity) => {
    const character = decodeEntities(entity);
    return /["']/.test(character) && text.includes(character) ? entity : character;
  });
}

/** Whether a text has entities, and nothing of what they stand for is written beside them. */
export function isEscaped(text: string): boolean {
  return /&(?:lt|gt|amp|quot);/i.test(text) && !/[<>]|&(?!(?:lt|gt|amp|quot|apos|#\w+);)/i.test(text); // prettier-ignore
}
