import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Located beside `src` and `dist`, so that the path is the same for both. */
const folder = join(dirname(fileURLToPath(import.meta.url)), "../../templates");

export interface TemplateFile {
  path: string;
  content: string;
}

/** Names of the templates in the order of preparation, the most used first. */
const NAMES = [
  "react",
  "vanilla",
  "express",
  "hono",
  "vue",
  "svelte",
  "static",
  "astro",
  "next",
  "accounts",
  "fullstack",
];

/** Names of the templates, the most used first. */
export function listTemplates(): string[] {
  return [...NAMES];
}

/**
 * Templates whose dependencies are prepared in advance: all, or those named in TREADLE_PREPARE
 * (`react,hono`; `none`).
 */
export function templatesToPrepare(env: Record<string, string | undefined>): string[] {
  const named = env.TREADLE_PREPARE?.split(/[\s,]+/).filter((name) => name !== "") ?? [];
  return named.length === 0 ? listTemplates() : NAMES.filter((name) => named.includes(name));
}

/**
 * A template's files, sorted by path.
 * @throws Error for a name that `listTemplates` does not have
 */
export function readTemplate(name: string): TemplateFile[] {
  if (!listTemplates().includes(name))
    throw new Error(
      `there is no template ${JSON.stringify(name)}; there are ${listTemplates().join(", ")}`,
    );
  const root = join(folder, name);
  return (
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter(
        (path) => !path.split("/").includes("node_modules") && statSync(join(root, path)).isFile(),
      )
      .sort()
      // npm and git leave files of these names out, so they are stored without the dot.
      .map((path) => ({
        path: path.replace(/(^|\/)dot-(gitignore|env)$/, "$1.$2"),
        content: readFileSync(join(root, path), "utf8"),
      }))
  );
}
