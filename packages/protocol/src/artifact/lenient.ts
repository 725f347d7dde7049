import { rewriteThoughts } from "../prose/thought-marks.ts";
import { createArtifactParser } from "./parse.ts";
import { readQuickActions } from "./quick-actions.ts";
import { recoverFences } from "./recovery.ts";
import type { ArtifactParser, ArtifactParserOptions } from "./types.ts";

/**
 * As `createArtifactParser`, for what models really write: with `recoverFences`, with lists of quick actions, and with thoughts
 * that are marked otherwise than with `<think>`, in which nothing is carried out.
 */
export function createLenientArtifactParser(
  options: Pick<ArtifactParserOptions, "onEvent" | "limits">,
): ArtifactParser {
  const parser = createArtifactParser({
    ...options,
    recover: recoverFences,
    quickActions: readQuickActions,
  });
  const thoughts = rewriteThoughts(parser.inProse, parser.write);
  return {
    write: thoughts.write,
    end() {
      thoughts.end();
      parser.end();
    },
    inProse: parser.inProse,
  };
}
