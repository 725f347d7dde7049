import { isDataFile, isOutputFolder, isSecretFile } from "../ignored.ts";

/** Extensions of program sources, of files that browsers read, and of tools' settings. */
const SOURCE = new Set(
  (
    "js mjs cjs jsx ts mts cts tsx json5 vue svelte astro marko riot html htm xhtml css scss sass less styl pcss postcss " +
    "ejs hbs handlebars pug jade njk liquid mustache twig eta md mdx markdown graphql gql prisma sql svg wasm map " +
    "py rb php go rs java kt swift c h cc cpp hpp cs sh bash zsh fish ps1 bat lua pl ex exs elm re wat glsl vert frag " +
    "yaml yml toml ini conf cfg properties lock webmanifest gyp gypi"
  ).split(" "),
);

/** JSON files that tools read. */
const SETTINGS =
  /^(?:package|composer|components|angular|project|workspace|nest-cli|deno|turbo|nx|lerna|biome|vercel|netlify|firebase|wrangler|app|manifest|site|theme|routes|openapi|swagger|renovate)\.json$|^[tj]sconfig.*\.json$|lock.*\.json$|\.config\.json$|rc\.json$|\.schema\.json$/i;

/** Folders in which apps store uploads of any file type. */
const HANDED_IN =
  /(?:^|\/)(?:uploads?|uploaded|storage|media|attachments?|avatars?|user-?files|user-?content|data|files)\//i;

/**
 * Whether a file that a published app has written is its data, judged by name. Files derived from its sources at
 * start-up (a generated client, a compiler's cache) are not.
 */
export function isAppData(path: string): boolean {
  if (isDataFile(path)) return true;
  if (isSecretFile(path) || path.endsWith(".tsbuildinfo")) return false;
  if (HANDED_IN.test(path)) return true;
  // A wiki stores its pages as Markdown, and tools generate none: outside of hidden folders, such files are people's.
  if (PROSE.test(path) && !/(?:^|\/)\./.test(path)) return true;
  // A built server is in a hidden folder, together with all files that it writes there.
  const inOutput = path.replace(/^\.output\//, "");
  return mayBeData({ path: inOutput, mode: "100644" });
}

/**
 * Documents that people create in an app, but that tools may also generate from an app's sources.
 */
const DOCUMENT = /\.(?:svg|x?html?|ya?ml|toml|ini|conf)$/i;
/** Folders of generated files, which are created again if missing. */
const MADE_ANEW =
  /(?:^|\/)(?:[^/]*[-_.])?(?:caches?|cached|te?mp|generated|compiled)(?:[-_.][^/]*)?\//i;

/**
 * Whether a file that appeared after people began to use a published app is its data, judged by name. Only for new
 * files: one that existed before or appeared at the start may be derived from the sources.
 */
export function mayBeDocument(path: string): boolean {
  const [first = ""] = path.split("/", 1);
  if (isOutputFolder(first) || MADE_ANEW.test(path)) return false;
  return DOCUMENT.test(path) && !/(?:^|\/)\./.test(path);
}

/**
 * Whether a file may be data of the running app, judged by name. Sources, settings, hidden files, links and programs
 * never are, whoever writes them.
 */
export function mayBeData({
  path,
  mode,
  secret,
}: {
  path: string;
  mode: string;
  secret?: true | undefined;
}): boolean {
  if (mode !== "100644" || secret || isDataFile(path)) return false;
  const parts = path.split("/");
  if (parts.some((part) => part.startsWith("."))) return false;
  const name = parts.at(-1)!;
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  return !SOURCE.has(ending) && !SETTINGS.test(name) && !PROGRAM.test(name);
}

const PROSE = /\.(?:md|markdown)$/i;

/** Names without an extension that are programs. */
const PROGRAM =
  /^(?:Dockerfile|Makefile|Procfile|Rakefile|Gemfile|Justfile|Caddyfile|Jenkinsfile|LICENSE|README|CNAME)$/i;
