/** Matches limits of something else than the request: the answer, the rate of use, a picture, a single field. */
const OF_ANSWER =
  /[`'"]?\bmax(?:imum)?[_ ]?(?:completion|new|output|total)?_?tokens\b[`'"]?|\bmaximum output\b[^.]{0,30}\btokens\b|\b(?:output|completion|generated) tokens\b/gi;
const OF_OTHERS =
  /\bper[ _-](?:minute|min|second|hour|day|month)\b|\b[RT]P[MD]\b|\brate[ _-]?limit|\bquota\b|please wait|\bdeadline\b|\b(?:images?|pictures?|audio|video|files?|documents?|pages?)\b[^.]{0,60}\b(?:exceed|too (?:large|long|many)|max)/i;

/** Matches names of the context limit that no other limit has. */
const CONTEXT = /\bcontext[ _-](?:length|window|size|limit)\b|\b(?:total|message) tokens\b/i;
/** Matches usual names of what a model reads. */
const LENGTH = /\b(?:prompt|inputs?|context|conversation|messages?|tokens?|request body)\b/i;
/** Matches statements that something exceeds its limit. */
const TOO_MUCH =
  /\btoo (?:long|large|many|big)\b|\bexceed|\b(?:longer|larger|greater|more|bigger) than\b|\boverflow|\bmax(?:imum)?\b|\bmust (?:be|have) (?:<=?|less|at most|shorter)|\bshould be \[|\blimit (?:is|of)\b|\breduce the (?:length|input|prompt)\b|\bonly supports up to\b|\breached (?:the )?context\b|\bnot fit\b/i;
/** Matches limits of a single field, such as "string too long … with maximum length 64". */
const OF_FIELD =
  /\b(?:string|array|key|name)\b[^.]{0,20}\b(?:too long|above max)|\bexpected (?:an? (?:string|array)|maxLength)\b/i;
const FIELD_LIMIT = /\bmax(?:imum )?length:? (\d+)/i;
/** Matches errors about a negative number of tokens left for the answer. */
const NOTHING_LEFT = /\bmust be at least 1, got -\d/i;
/** A field with a limit of this many characters holds the whole conversation. */
const CONVERSATION_CHARS = 100_000;

/**
 * Whether a provider's message says that the request is longer than the model's context. Providers have no common code
 * for it and more than twenty spellings: each says what is too long, and that it is.
 */
export function isOverflow(words: string): boolean {
  if (OF_FIELD.test(words)) return Number(FIELD_LIMIT.exec(words)?.[1]) >= CONVERSATION_CHARS;
  if (NOTHING_LEFT.test(words)) return true;
  const rest = words.replaceAll(OF_ANSWER, "");
  if (!TOO_MUCH.test(rest)) return false;
  return CONTEXT.test(rest) || (LENGTH.test(rest) && !OF_OTHERS.test(rest));
}
