/** Maximum characters of an id that are searched: the time of the patterns grows with their square. */
const NAME = 300;

/** Match ids of model families that accept pictures, and of those that do not. */
const SEES =
  /claude-(?:3|opus|sonnet|haiku|fable|mythos|[4-9])|gpt-(?:4o|4\.1|4-turbo|4\.5|[5-9])|chatgpt-4o|\bo[134](?!-?mini\b.*2024)|gemini|gemma-?[34]|pixtral|mistral-(?:medium|small)-?3|llava|moondream|minicpm-v|bakllava|[-.]vl\b|vl:|-vl-|qwen[\d.]*-?vl|vision|llama-?4|llama-4|grok-(?:2-vision|[4-9])|nova-(?:lite|pro|premier)|phi-?[34][\w.]*-(?:vision|multimodal)|glm-4(?:\.\d)?v|internvl/i;
const BLIND =
  /gpt-3\.5|o1-mini|o1-preview|o3-mini|deepseek|codestral|devstral|qwen[\d.]*-?coder|qwen2\.5:|qwen3:|llama-?3(?:\.[13])?(?!.*vision)|mixtral|codellama|starcoder|kimi-k2(?!\.[5-9])|nova-micro|gpt-oss|gemma-?2|gemma3:1b|claude-(?:2|instant)/i;

/**
 * Whether a model accepts pictures, by its id (`provider:model`). Undefined if the id does not show it: pictures are
 * then sent, and the provider rejects them if necessary.
 */
export function seesPictures(id: string): boolean | undefined {
  if (id.startsWith("demo:")) return false;
  const name = id.slice(id.indexOf(":") + 1).slice(0, NAME);
  if (BLIND.test(name)) return false;
  return SEES.test(name) ? true : undefined;
}
