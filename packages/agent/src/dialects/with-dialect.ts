import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { DialectName, RunMode } from "@treadle/protocol";
import { wrapLanguageModel } from "ai";
import { artifactDialect } from "./artifact/artifact-dialect.ts";
import { withWire } from "../models/wire/with-wire.ts";
import { joinWords } from "./go-on/go-on.ts";
import { settleCalls } from "./settle-calls.ts";
import { tagsDialect } from "./tags/tags-dialect.ts";

/** Wraps the model for the loop: in every dialect, its stream contains tool calls, each as soon as it is complete. */
export function withDialect(
  model: LanguageModelV4,
  dialect: DialectName,
  mode: RunMode = "act",
): LanguageModelV4 {
  // Code fences in a plan are part of the plan, and not actions.
  const artifact = () => [artifactDialect({ recover: mode === "act" })];
  const native = () => [settleCalls(), joinWords()];
  const middleware = { native, artifact, tags: () => [tagsDialect()] }[dialect];
  return wrapLanguageModel({ model: withWire(model), middleware: middleware() });
}
