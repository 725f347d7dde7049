import { isBefore } from "./command-words.ts";

/** Development servers that update the running app when files change, each with a pattern for its first argument. */
const DEV_SERVERS: Record<string, RegExp> = {
  // Its argument may also be a folder or a page.
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
 * Whether this command is one development server and nothing else. Another process in the same line, such as an API,
 * would run its old code after a change, so a later revision would only be proven after a restart.
 * @param script the text of the package script, or the command itself
 */
export function takesChanges(script: string): boolean {
  // Several commands, a background one, a pipe, or a part that is only known at run time.
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
