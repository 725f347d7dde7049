import { isBefore } from "./command-words.ts";

/** Development servers that bring changed files into the running app by themselves, and how each is called for that. */
const DEV_SERVERS: Record<string, RegExp> = {
  // A folder or a page may stand where the others have a word.
  vite: /^(?!(?:build|preview|optimize)$)/,
  parcel: /^(?!(?:build|watch|help)$)/,
  "treadle-serve": /^$/,
  "webpack-dev-server": /^$/,
  next: /^(?:dev)?$/,
  nuxt: /^dev$/,
  nuxi: /^dev$/,
  astro: /^dev$/,
  remix: /^(?:dev|vite:dev)$/,
  "react-router": /^dev$/,
  "svelte-kit": /^dev$/,
  vinxi: /^dev$/,
  webpack: /^serve$/,
  rsbuild: /^dev$/,
  rspack: /^(?:dev|serve)$/,
  ng: /^(?:serve|s|dev)$/,
  "react-scripts": /^start$/,
  "vue-cli-service": /^serve$/,
  gatsby: /^develop$/,
  vitepress: /^dev$/,
  docusaurus: /^start$/,
};

/**
 * Whether this command is one development server and nothing else: what stands beside it (an API in the same line) keeps
 * its old code when its files change, so that nothing is proven of a later revision without starting anew.
 * @param script what runs in the end: the text of the package script, or the command itself
 */
export function takesChanges(script: string): boolean {
  // More than one command, a background one, a pipe, or something that is only known when it runs.
  if (/[;&|\n`]|\$\(/.test(script)) return false;
  const words = script.trim().split(/\s+/);
  while (isBefore(words[0])) words.shift();
  if (/^(?:npm|pnpm|yarn|bun)$/.test(words[0] ?? "")) {
    words.shift();
    while (/^(?:exec|x|dlx|--)$/.test(words[0] ?? "")) words.shift();
  }
  const [program = "", next = ""] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const called = Object.hasOwn(DEV_SERVERS, name) ? DEV_SERVERS[name] : undefined;
  return called?.test(next.startsWith("-") ? "" : next) ?? false;
}
