/** An available language server, and its identifier for a file's language. */
export interface Served {
  server: "typescript" | "web" | "svelte" | "vue";
  language: string;
}

const typescript = (language: string): Served => ({ server: "typescript", language });
const web = (language: string): Served => ({ server: "web", language });

const SERVED = new Map<string, Served>([
  ["ts", typescript("typescript")],
  ["mts", typescript("typescript")],
  ["cts", typescript("typescript")],
  ["tsx", typescript("typescriptreact")],
  ["js", typescript("javascript")],
  ["mjs", typescript("javascript")],
  ["cjs", typescript("javascript")],
  ["jsx", typescript("javascriptreact")],
  ["css", web("css")],
  ["scss", web("scss")],
  ["less", web("less")],
  ["html", web("html")],
  ["htm", web("html")],
  ["json", web("json")],
  ["jsonc", web("json")],
  ["svelte", { server: "svelte", language: "svelte" }],
  ["vue", { server: "vue", language: "vue" }],
]);

/** The server for a file, by its extension; undefined if there is none. */
export function servedBy(path: string): Served | undefined {
  return SERVED.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}
