import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { DialectName } from "@treadle/protocol";
import { wrapLanguageModel } from "ai";
import { artifactDialect } from "./artifact/artifact-dialect.ts";
import { settleCalls } from "./settle-calls.ts";
import { tagsDialect } from "./tags/tags-dialect.ts";

/** The model as the loop uses it: whatever its dialect, tool calls come out of its stream one by one as they are complete. */
export function withDialect(model: LanguageModelV4, dialect: DialectName): LanguageModelV4 {
  return wrapLanguageModel({ model, middleware: MIDDLEWARE[dialect]() });
}

const MIDDLEWARE = { native: settleCalls, artifact: artifactDialect, tags: tagsDialect };
