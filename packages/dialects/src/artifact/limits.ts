import type { ArtifactLimits } from "./types.ts";

/** The limits of the artifact parser where none are given. */
export const ARTIFACT_LIMITS: ArtifactLimits = {
  // The longest opening tag seen in saved answers has 310 characters; a quote that is never closed must not hold more.
  tagCharacters: 16_384,
  // Twice the longest answer a model can give today.
  contentCharacters: 16_777_216,
};
