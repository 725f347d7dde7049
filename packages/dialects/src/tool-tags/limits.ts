import type { ToolTagLimits } from "./types.ts";

/** The default limits of the tool-tag parser. */
export const TOOL_TAG_LIMITS: ToolTagLimits = {
  // Twice the longest answer of a current model.
  valueCharacters: 16_777_216,
  // Content that contains its own closing tag continues to stream after this much.
  heldCharacters: 65_536,
};

/** Maximum length of one tag, including attributes, in characters; a longer one is text. */
export const TAG_LIMIT = 256;

/**
 * Maximum length of tags around the parameters of a tool, before the first parameter, in
 * characters.
 */
export const OPENING_LIMIT = 256;
