/** Returns the files of a template for a new project; `use_template` writes them. */
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
