import type { ProjectPath } from "../project-path/types.ts";
import type { Sentence } from "../sentences/types.ts";

/** What a token is for, as far as the project's own style sheets tell. */
export type TokenGroup = "colour" | "type" | "spacing" | "radius" | "other";

/** Under which condition a value holds: always, for a colour scheme of the system, or below a selector. */
export interface DesignMode {
  /** `base`; `dark` or `light` for a system's colour scheme; otherwise the selector. */
  id: string;
  kind: "base" | "system" | "selector";
}

/** A custom property that a project sets on its root. */
export interface DesignToken {
  /** With its two dashes. */
  name: string;
  group: TokenGroup;
  /** The value as written, by mode. */
  values: Record<string, string>;
  /** The token that this one only repeats. */
  aliasOf?: string | undefined;
  /** The colour function that the value's numbers are for, as in `hsl(var(--accent))`. */
  channels?: string | undefined;
  /** For a colour of text: the token of the background that it is read on. */
  on?: string | undefined;
}

/** A project's design tokens. */
export interface ProjectDesign {
  tokens: DesignToken[];
  /** `base` first. */
  modes: DesignMode[];
  /** The files that set tokens, with the versions that were read. */
  files: { path: ProjectPath; version: string }[];
  /** Where tokens would be imported if no file sets any; absent if there is no style sheet. */
  stylesheet?: ProjectPath | undefined;
}

/** A value to be written: of a token that is there, or of a new one. */
export interface TokenEdit {
  name: string;
  mode: string;
  value: string;
}

/** Tokens that could be taken over from elsewhere, and what of them was left out. */
export interface DesignProposal {
  /** `dark` in `values` is whatever second mode the source has. */
  tokens: {
    name: string;
    group: TokenGroup;
    values: { base: string; dark?: string | undefined };
  }[];
  /** What could not be taken, and why. */
  problems: Sentence[];
}
