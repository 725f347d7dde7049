import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { DialectName, RunMode } from "@treadle/protocol";
import { wrapLanguageModel } from "ai";
import { artifactDialect } from "./artifact/artifact-dialect.ts";
import { withWire } from "../models/wire/with-wire.ts";
import { joinWords } from "./go-on/go-on.ts";
import { settleCalls } from "./settle-calls.ts";
import { tagsDialect } from "./tags/tags-dialect.ts";

/**
 * The model as the loop uses it: in every dialect, tool calls come out of its stream one by one as soon as they are
 * complete.
 */
export function withDialect(
  model: LanguageModelV4,
  dialect: DialectName,
  mode: RunMode = "act",
): LanguageModelV4 {
  // Code in a plan is part of what is planned.
  const artifact = () => [artifactDialect({ recover: mode === "act" })];
  const native = () => [settleCalls(), joinWords()];
  const middleware = { native, artifact, tags: () => [tagsDialect()] }[dialect];
  return wrapLanguageModel({ model: withWire(model), middleware: middleware() });
}
