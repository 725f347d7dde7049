/**
 * Install scripts of frameworks' own starters: they generate types or code with the framework's
 * program and contain no other command. Whatever a project's configuration runs there is also run
 * by `dev` and `build`, which need no approval either. `husky` and `lefthook` obey files that need
 * approval themselves.
 */
const GENERATORS: Record<string, RegExp> = {
  astro: /^sync$/,
  contentlayer: /^build$/,
  cypress: /^install$/,
  echo: /^[\w .,!:'"-]*$/,
  "electron-builder": /^install-app-deps$/,
  "electron-rebuild": /^$/,
  exit: /^0$/,
  "fumadocs-mdx": /^$/,
  husky: /^(?:install)?$/,
  lefthook: /^install$/,
  next: /^typegen$/,
  nuxi: /^prepare$/,
  nuxt: /^prepare$/,
  nuxtr: /^prepare$/,
  panda: /^codegen$/,
  "patch-package": /^$/,
  playwright: /^install(?: (?:--with-deps|chromium|firefox|webkit))*$/,
  prisma: /^generate(?: --no-\w+)*$/,
  "react-router": /^typegen$/,
  "svelte-kit": /^sync$/,
  true: /^$/,
  "vue-demi": /^$/,
  wrangler: /^types$/,
  wxt: /^prepare$/,
};

const RUNNER = /^(?:npx(?: --(?:yes|no-install|no))*|pnpm exec|pnpm|yarn exec|yarn|bunx) /;

/** Whether an install script contains only commands of `GENERATORS`. */
export function isPlainHook(script: string): boolean {
  if (/[`$<>\\\n\r()]/.test(script)) return false;
  return script.split(/&&|\|\||;/).every((part) => {
    const words = part.trim().replace(RUNNER, "");
    const [program = "", ...rest] = words.split(/ +/);
    return Object.hasOwn(GENERATORS, program) && GENERATORS[program]!.test(rest.join(" "));
  });
}
