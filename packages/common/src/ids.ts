import { randomBytes } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Random lower-case letters and digits, 5 bits each; starts with a letter, like the first label of
 * a host.
 */
function randomLabel(length: number): string {
  const bytes = randomBytes(length);
  return Array.from(bytes, (byte, index) =>
    ALPHABET.charAt(index === 0 ? byte % 26 : byte % 32),
  ).join("");
}

export const newProjectId = () => randomLabel(12);
/** First label of a preview's host: 26 unguessable characters. */
export const newCapability = () => randomLabel(26);
/** First label of a link's host, after `share-`. */
export const newShareId = () => randomLabel(16);
export const newMessageId = () => `m${randomLabel(15)}`;
export const newComparisonId = () => randomLabel(12);
export const newRunId = () => `r${randomLabel(15)}`;
