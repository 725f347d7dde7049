import { createHash } from "node:crypto";
import { isToolUIPart, type UIMessage } from "ai";

/** Length of ids that every provider accepts; Mistral accepts no other. */
const OWN_ID_CHARACTERS = 9;
/** A valid id of a provider: printable, and within the strictest limit (OpenAI: 64 characters). */
const ANY_ID = /^[\x21-\x7e]{1,64}$/;
/** The form that nearly every provider accepts, whichever provider made the id. */
export const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MISTRAL_ID = /^[A-Za-z0-9]{9}$/;

/**
 * The form of ids that a provider accepts.
 * @param provider the AI SDK's name, such as `anthropic.messages`
 */
export function callIdForm(provider: string): RegExp {
  if (/^mistral\b/.test(provider)) return MISTRAL_ID;
  return /^(?:anthropic|amazon-bedrock|google|openai)\b/.test(provider) ? PLAIN_ID : ANY_ID;
}

/**
 * Returns the id itself if it has the form and is unused, else a generated one. Deterministic,
 * because the provider's prefix cache depends on it.
 * @param used receives the returned id
 * @param seed seed of a generated id
 */
export function distinctId(id: string, used: Set<string>, form: RegExp, seed = id): string {
  let distinct = id;
  for (let count = 0; used.has(distinct) || !form.test(distinct); count++)
    distinct = ownId(`${seed}\0${count}`);
  used.add(distinct);
  return distinct;
}

/**
 * The id under which a new call is saved: the provider's own unless the conversation already has
 * it.
 */
export const idOfNewCall = (id: string, used: Set<string>, seed: string): string =>
  distinctId(id, used, ANY_ID, seed);

/** The ids of a conversation's calls, as the model sees them. */
export const callIdsIn = (messages: readonly UIMessage[]): string[] =>
  messages.flatMap(({ parts }) => parts.filter(isToolUIPart).map(({ toolCallId }) => toolCallId));

function ownId(seed: string): string {
  const digest = createHash("sha256").update(seed).digest("hex");
  // Begins with a letter, since some providers parse an id with a leading digit as a number.
  return `c${BigInt(`0x${digest}`)
    .toString(36)
    .padStart(50, "0")
    .slice(-(OWN_ID_CHARACTERS - 1))}`;
}
