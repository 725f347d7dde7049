import type { ArtifactLimits } from "./types.ts";

/** The default limits of the artifact parser. */
export const ARTIFACT_LIMITS: ArtifactLimits = {
  // The longest opening tag in saved answers has 310 characters; an unclosed quote must not hold
  // more than this.
  tagCharacters: 16_384,
  // Twice the longest answer of a current model.
  contentCharacters: 16_777_216,
};
