/** Limits of other things than the request's length: of an answer, of use over time, of a picture, of one field. */
const OF_ANSWER =
  /[`'"]?\bmax(?:imum)?[_ ]?(?:completion|new|output|total)?_?tokens\b[`'"]?|\bmaximum output\b[^.]{0,30}\btokens\b|\b(?:output|completion|generated) tokens\b/gi;
const OF_OTHERS =
  /\bper[ _-](?:minute|min|second|hour|day|month)\b|\b[RT]P[MD]\b|\brate[ _-]?limit|\bquota\b|please wait|\bdeadline\b|\b(?:images?|pictures?|audio|video|files?|documents?|pages?)\b[^.]{0,60}\b(?:exceed|too (?:large|long|many)|max)/i;

/** The limit of what a model reads, by the name that no other limit has. */
const CONTEXT = /\bcontext[ _-](?:length|window|size|limit)\b|\b(?:total|message) tokens\b/i;
/** What a model reads, by its usual names. */
const LENGTH = /\b(?:prompt|inputs?|context|conversation|messages?|tokens?|request body)\b/i;
/** That it is more than there is room for. */
const TOO_MUCH =
  /\btoo (?:long|large|many|big)\b|\bexceed|\b(?:longer|larger|greater|more|bigger) than\b|\boverflow|\bmax(?:imum)?\b|\bmust (?:be|have) (?:<=?|less|at most|shorter)|\bshould be \[|\blimit (?:is|of)\b|\breduce the (?:length|input|prompt)\b|\bonly supports up to\b|\breached (?:the )?context\b|\bnot fit\b/i;
/** Whether it is the whole of what is read, and no field: "string too long … with maximum length 64". */
const OF_FIELD =
  /\b(?:string|array|key|name)\b[^.]{0,20}\b(?:too long|above max)|\bexpected (?:an? (?:string|array)|maxLength)\b/i;
const FIELD_LIMIT = /\bmax(?:imum )?length:? (\d+)/i;
/** What is left for the answer, where nothing is. */
const NOTHING_LEFT = /\bmust be at least 1, got -\d/i;
/** A field of the request that may be as long as this holds a whole conversation. */
const CONVERSATION_CHARS = 100_000;

/**
 * Whether a provider's sentence says that the request is longer than the model's context. Providers have no common code
 * for it and more than twenty spellings: each names what is too long and that it is too long.
 */
export function isOverflow(words: string): boolean {
  if (OF_FIELD.test(words)) return Number(FIELD_LIMIT.exec(words)?.[1]) >= CONVERSATION_CHARS;
  if (NOTHING_LEFT.test(words)) return true;
  const rest = words.replaceAll(OF_ANSWER, "");
  if (!TOO_MUCH.test(rest)) return false;
  return CONTEXT.test(rest) || (LENGTH.test(rest) && !OF_OTHERS.test(rest));
}
