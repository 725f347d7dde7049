/** Characters of an answer that are looked at: the pattern below takes the square of them. */
const LOOKED_AT = 4_000;

/**
 * What providers and model servers say where a model reads no pictures: OpenAI, Anthropic, Mistral and others in words,
 * routers that find no model for it, and servers whose messages are text and nothing else (DeepSeek, Groq, vLLM).
 */
const BLIND =
  /\b(?:images?|image[_ ](?:url|inputs?|content)|input_image|vision|pictures?)\b[^.]*\b(?:not (?:supported|enabled|allowed)|unsupported|only supported by)|\bnot support[^.]*\b(?:images?|image_url|vision|multi-?modal)\b|n't support[^.]*\b(?:images?|vision)\b|\bnot an? (?:multi-?modal|vision)|support image input|unsupported content[^.]*\bimage|unknown variant `?(?:image|input_image)|at most 0 image|required for image input|text-only (?:server|model)|content must be a string|input should be 'text'/i;
/** A picture that is wrong in itself says nothing of the model. */
const BAD_PICTURE =
  /\bformats?\b|media.?type|mime|valid image|too large|exceeds|dimensions?|pixels|could not process|decode/i;

/** Whether a provider's words say that this model reads no pictures. */
export function refusesPictures(words: string): boolean {
  const excerpt = words.slice(0, LOOKED_AT);
  return BLIND.test(excerpt) && !BAD_PICTURE.test(excerpt);
}
