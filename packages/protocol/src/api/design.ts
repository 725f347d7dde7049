import type { ProjectPath } from "../project-path/types.ts";
import type { Sentence } from "../sentences/types.ts";

/** What a token is used for, judged by the project's own style sheets. */
export type TokenGroup = "colour" | "type" | "spacing" | "radius" | "other";

/** The condition of a value: always, for a colour scheme of the system, or below a selector. */
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
  /** The token that this one refers to (an alias). */
  aliasOf?: string | undefined;
  /** The colour function around the value's numbers, as in `hsl(var(--accent))`. */
  channels?: string | undefined;
  /** For a text colour: the token of the background behind it. */
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

/** A value to write, of an existing token or a new one. */
export interface TokenEdit {
  name: string;
  mode: string;
  value: string;
}

/** Tokens that could be copied from elsewhere, and what was left out. */
export interface DesignProposal {
  /** `dark` in `values` is whatever second mode the source has. */
  tokens: {
    name: string;
    group: TokenGroup;
    values: { base: string; dark?: string | undefined };
  }[];
  /** What could not be copied, and why. */
  problems: Sentence[];
}
