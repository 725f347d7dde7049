/** The kind of a file's contents, judged by its extension alone. */
export type FileKind = "code" | "data" | "image" | "font" | "text" | "other";

const ENDINGS: Record<Exclude<FileKind, "other">, readonly string[]> = {
  code: [
    "js",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "mts",
    "cts",
    "tsx",
    "css",
    "scss",
    "sass",
    "less",
    "html",
    "htm",
    "vue",
    "svelte",
    "astro",
    "py",
    "rb",
    "go",
    "rs",
    "java",
    "kt",
    "php",
    "c",
    "h",
    "cc",
    "cpp",
    "hpp",
    "cs",
    "swift",
    "sh",
    "sql",
  ],
  data: [
    "json",
    "jsonc",
    "json5",
    "yaml",
    "yml",
    "toml",
    "xml",
    "csv",
    "tsv",
    "lock",
    "env",
    "ini",
  ],
  image: ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp"],
  font: ["woff", "woff2", "ttf", "otf"],
  text: ["md", "mdx", "markdown", "txt", "log", "pdf"],
};

const KINDS = new Map(
  Object.entries(ENDINGS).flatMap(([kind, endings]) =>
    endings.map((ending) => [ending, kind as FileKind] as const),
  ),
);

/** The kind of a file by its extension, whether upper or lower case; `other` if the extension is unknown. */
export const kindOfFile = (path: string): FileKind =>
  KINDS.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? "other";
