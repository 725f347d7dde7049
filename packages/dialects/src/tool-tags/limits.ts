import type { ToolTagLimits } from "./types.ts";

/** The limits of the tool-tag parser where none are given. */
export const TOOL_TAG_LIMITS: ToolTagLimits = {
  // Twice the longest answer a model can give today.
  valueCharacters: 16_777_216,
  // Content that holds its own closing tag goes on streaming after this much.
  heldCharacters: 65_536,
};

/** Characters of one tag, attributes included; a longer one is text. */
export const TAG_LIMIT = 256;

/** Characters of tags around the parameters of a tool, which are waited through for the first one. */
export const OPENING_LIMIT = 256;
