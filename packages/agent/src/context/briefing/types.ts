import type { Skill } from "../skills/types.ts";

/**
 * Information about project and person beside the conversation: complete at first, then only
 * changes.
 */
export interface Briefing {
  /** Text by kind of section; an empty one means that the section no longer applies. */
  sections: Record<string, string>;
  /** The paths listed by this briefing and those before it. */
  files: string[];
  /** The text for the model, saved so that the history stays the same. */
  text: string;
}

/** A rules file, of the project or of the person. */
export interface Rule {
  /** The path of the file. */
  path: string;
  text: string;
}

/** The person's own rules and skills, which apply to all of their projects. */
export interface Personal {
  rules: Rule[];
  skills: Skill[];
}
