/**
 * Install scripts that a framework's own starter has: they write types or generated code by the framework's program, and say
 * no command of their own. What a project's configuration runs then is run by `dev` and `build` as well, which are not asked
 * about either. `husky` and `lefthook` obey files that are asked about themselves.
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

/** Whether an install script does no more than that. */
export function isPlainHook(script: string): boolean {
  if (/[`$<>\\\n\r()]/.test(script)) return false;
  return script.split(/&&|\|\||;/).every((part) => {
    const words = part.trim().replace(RUNNER, "");
    const [program = "", ...rest] = words.split(/ +/);
    return Object.hasOwn(GENERATORS, program) && GENERATORS[program]!.test(rest.join(" "));
  });
}
