/** Files of a new project: what `use_template` writes. */
export type ReadTemplate = (name: TemplateName) => TemplateFile[] | Promise<TemplateFile[]>;

export const TEMPLATE_NAMES = [
  "react",
  "vue",
  "svelte",
  "vanilla",
  "next",
  "astro",
  "express",
  "hono",
  "static",
  "accounts",
  "fullstack",
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export interface TemplateFile {
  /** Relative to the project, with `/`. */
  path: string;
  content: string | Uint8Array;
}
