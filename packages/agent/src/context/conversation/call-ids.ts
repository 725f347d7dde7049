import { createHash } from "node:crypto";
import { isToolUIPart, type UIMessage } from "ai";

/** Every provider takes such ids; Mistral takes no others. */
const OWN_ID_CHARACTERS = 9;
/** What a provider may give as an id: printable, and no longer than the strictest limit (OpenAI: 64 characters). */
const ANY_ID = /^[\x21-\x7e]{1,64}$/;
/** What nearly every provider takes, whichever one gave the id. */
export const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MISTRAL_ID = /^[A-Za-z0-9]{9}$/;

/** The ids that a provider takes back. @param provider as the AI SDK's model names it, such as `anthropic.messages` */
export function callIdForm(provider: string): RegExp {
  if (/^mistral\b/.test(provider)) return MISTRAL_ID;
  return /^(?:anthropic|amazon-bedrock|google|openai)\b/.test(provider) ? PLAIN_ID : ANY_ID;
}

/**
 * The id itself if it has the form and was not given out before, else one of our own that has not been. The same ids in
 * the same order give the same answers: a provider's prefix cache depends on it.
 * @param used gets the id that is returned
 * @param seed what an own id is derived from
 */
export function distinctId(id: string, used: Set<string>, form: RegExp, seed = id): string {
  let distinct = id;
  for (let count = 0; used.has(distinct) || !form.test(distinct); count++)
    distinct = ownId(`${seed}\0${count}`);
  used.add(distinct);
  return distinct;
}

/** The id under which a new call is kept: the provider's own if no other call of the conversation has it. */
export const idOfNewCall = (id: string, used: Set<string>, seed: string): string =>
  distinctId(id, used, ANY_ID, seed);

/** What the calls of a conversation are known by to the model. */
export const callIdsIn = (messages: readonly UIMessage[]): string[] =>
  messages.flatMap(({ parts }) => parts.filter(isToolUIPart).map(({ toolCallId }) => toolCallId));

function ownId(seed: string): string {
  const digest = createHash("sha256").update(seed).digest("hex");
  // A letter first: some providers' parsers take what begins with a digit for a number.
  return `c${BigInt(`0x${digest}`)
    .toString(36)
    .padStart(50, "0")
    .slice(-(OWN_ID_CHARACTERS - 1))}`;
}
