const NO_MODEL =
  "No model is set up yet, so nothing can answer. Set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, start Ollama or LM Studio on this machine, or start the page with “treadle serve” and add a model there; then run again.";

/**
 * An error as one sentence for people. Treadle's own errors already are sentences. Of all others the message is shown
 * without the stack, unless TREADLE_DEBUG is set.
 */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env.TREADLE_DEBUG) return error.stack ?? error.message;
  // The server's own text refers to the page.
  if ("code" in error && error.code === "model-missing") return NO_MODEL;
  return error.message;
}
