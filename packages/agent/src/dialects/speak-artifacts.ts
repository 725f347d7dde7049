import { withDialect } from "./with-dialect.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import type { Run } from "../loop/state.ts";

/** As Ollama, vLLM, OpenRouter and others say that a model has no tool calls. */
const NO_TOOLS =
  /\btools?\b[^.]*\b(?:not supported|unsupported)|(?:not|n't) support[^.]*\b(?:tool|function)s?\b|no endpoints found that support tool use|\btool[ _-]?(?:choice|use|calling)\b[^.]*\b(?:requires|not enabled|disabled)/i;

/** Whether the model's server refused the request because of its tools: it can be asked again in another dialect. */
export function refusesTools(run: Run, { code, message }: ModelFailure): boolean {
  return run.dialect === "native" && code === "provider-refused" && NO_TOOLS.test(message);
}

/** From its next request on the model is spoken to in bolt's tags, and so in its next turns. */
export function speakArtifacts(run: Run): void {
  const { model, learn } = run.ports;
  run.dialect = "artifact";
  run.languageModel = withDialect(model.languageModel, "artifact", run.request.mode);
  model.habits = { ...model.habits, dialect: "artifact" };
  learn?.(model.habits);
}
