/** Extensions of hand-written files, in projects of any language. */
const ENDING =
  /\.(?:[cm]?[jt]sx?|json[5cl]?|[sp]?css|sass|less|x?html?|xml|svg|vue|svelte|astro|mdx?|txt|rst|ya?ml|toml|ini|conf|[ct]sv|g?sql|prisma|graphql|proto|(?:ba|z)?sh|ps1|bat|cmd|pyi?|ipynb|r[bs]|erb|php|java|kts?|gradle|go|c|h|cc|[ch]pp|cs|csproj|swift|dart|lua|r|exs?|sol|glsl|ejs|hbs|pug|j2|tpl|tf|webmanifest|diff|patch)$/i;
/** Files without an extension, or with a leading dot. */
const NAME =
  /^(?:(?:Docker|Make|Proc|Gem|Jenkins|Caddy)file|LICEN[CS]E|go\.mod|_redirects|_headers|\.env(?:\.\w+)*|\.\w+(?:rc|ignore)|\.(?:editorconfig|gitattributes|gitkeep|htaccess|(?:node|python|tool)-versions?))$/i;
/** Libraries with names like files. */
const LIBRARY =
  /^(?:node|next|vue|nuxt|react|three|express|ember|alpine|chart|d3|p5|discord|solid|angular|backbone|socket)\.(?:js|io)$/i;

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/**
 * Whether a path has the form of a file name: a known extension or a usual name. `app.use` and
 * `engine.update` have not.
 * @param path with `/`
 */
export function isFileName(path: string): boolean {
  const name = nameOf(path);
  if (LIBRARY.test(path)) return false;
  return NAME.test(name) || (ENDING.test(name) && !/^\.[^.]*$/.test(name));
}

/**
 * Whether a bare name is unlikely to be a file in this language: `res.json` and `history.go` above
 * JavaScript are methods.
 */
export const contradicts = (language: string, path: string): boolean =>
  /^(?:[cm]?[jt]sx?|java|type)(?:script)?$/i.test(language) &&
  !/\/|\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i.test(path);

/** Whether a file is a shell script or in shell syntax, so that a fence of shell code may contain it. */
export const isShellFile = (path: string): boolean =>
  /(?:\.(?:sh|bash|zsh|fish|env|conf|ini)|rc|ignore|file)$/i.test(path) ||
  /^\.env/i.test(nameOf(path));
