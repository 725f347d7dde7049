/** Characters of a name that are looked at: the patterns below take the square of them. */
const NAME = 300;

/** Families of models that read pictures, and those that do not, by how their ids begin or what is in them. */
const SEES =
  /claude-(?:3|opus|sonnet|haiku|fable|mythos|[4-9])|gpt-(?:4o|4\.1|4-turbo|4\.5|[5-9])|chatgpt-4o|\bo[134](?!-?mini\b.*2024)|gemini|gemma-?[34]|pixtral|mistral-(?:medium|small)-?3|llava|moondream|minicpm-v|bakllava|[-.]vl\b|vl:|-vl-|qwen[\d.]*-?vl|vision|llama-?4|llama-4|grok-(?:2-vision|[4-9])|nova-(?:lite|pro|premier)|phi-?[34][\w.]*-(?:vision|multimodal)|glm-4(?:\.\d)?v|internvl/i;
const BLIND =
  /gpt-3\.5|o1-mini|o1-preview|o3-mini|deepseek|codestral|devstral|qwen[\d.]*-?coder|qwen2\.5:|qwen3:|llama-?3(?:\.[13])?(?!.*vision)|mixtral|codellama|starcoder|kimi-k2(?!\.[5-9])|nova-micro|gpt-oss|gemma-?2|gemma3:1b|claude-(?:2|instant)/i;

/**
 * Whether a model reads pictures, by its id (`provider:model`). Undefined where the name does not tell: it is then tried,
 * and the provider says so itself if it does not.
 */
export function seesPictures(id: string): boolean | undefined {
  if (id.startsWith("demo:")) return false;
  const name = id.slice(id.indexOf(":") + 1).slice(0, NAME);
  if (BLIND.test(name)) return false;
  return SEES.test(name) ? true : undefined;
}
