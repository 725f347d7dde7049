/** Maximum characters of a message that are searched: the time of the pattern grows with their square. */
const LOOKED_AT = 4_000;

/**
 * Matches messages that a model does not accept pictures: of OpenAI, Anthropic, Mistral and others; of routers that
 * find no model for it; and of servers whose messages must be text (DeepSeek, Groq, vLLM).
 */
const BLIND =
  /\b(?:images?|image[_ ](?:url|inputs?|content)|input_image|vision|pictures?)\b[^.]*\b(?:not (?:supported|enabled|allowed)|unsupported|only supported by)|\bnot support[^.]*\b(?:images?|image_url|vision|multi-?modal)\b|n't support[^.]*\b(?:images?|vision)\b|\bnot an? (?:multi-?modal|vision)|support image input|unsupported content[^.]*\bimage|unknown variant `?(?:image|input_image)|at most 0 image|required for image input|text-only (?:server|model)|content must be a string|input should be 'text'/i;
/** Matches errors about a picture itself, which say nothing about the model. */
const BAD_PICTURE =
  /\bformats?\b|media.?type|mime|valid image|too large|exceeds|dimensions?|pixels|could not process|decode/i;

/** Whether a provider's message says that this model does not accept pictures. */
export function refusesPictures(words: string): boolean {
  const excerpt = words.slice(0, LOOKED_AT);
  return BLIND.test(excerpt) && !BAD_PICTURE.test(excerpt);
}
