import { isDataFile, isOutputFolder, isSecretFile } from "../ignored.ts";

/** What a program is made of, is read as by a browser, or says how tools go about it: by the ending of its name. */
const SOURCE = new Set(
  (
    "js mjs cjs jsx ts mts cts tsx json5 vue svelte astro marko riot html htm xhtml css scss sass less styl pcss postcss " +
    "ejs hbs handlebars pug jade njk liquid mustache twig eta md mdx markdown graphql gql prisma sql svg wasm map " +
    "py rb php go rs java kt swift c h cc cpp hpp cs sh bash zsh fish ps1 bat lua pl ex exs elm re wat glsl vert frag " +
    "yaml yml toml ini conf cfg properties lock webmanifest gyp gypi"
  ).split(" "),
);

/** JSON that tools read. */
const SETTINGS =
  /^(?:package|composer|components|angular|project|workspace|nest-cli|deno|turbo|nx|lerna|biome|vercel|netlify|firebase|wrangler|app|manifest|site|theme|routes|openapi|swagger|renovate)\.json$|^[tj]sconfig.*\.json$|lock.*\.json$|\.config\.json$|rc\.json$|\.schema\.json$/i;

/** Folders that apps keep in what people hand in, whatever kind of file that is. */
const HANDED_IN =
  /(?:^|\/)(?:uploads?|uploaded|storage|media|attachments?|avatars?|user-?files|user-?content|data|files)\//i;

/**
 * Whether a file that a published app has written is its data, by its name: what it makes of its own sources at its start (a
 * generated client, a cache of a compiler) is none.
 */
export function isAppData(path: string): boolean {
  if (isDataFile(path)) return true;
  if (isSecretFile(path) || path.endsWith(".tsbuildinfo")) return false;
  if (HANDED_IN.test(path)) return true;
  // A wiki keeps its pages so, and nothing that is made of sources is: elsewhere than in a hidden folder it is people's.
  if (PROSE.test(path) && !/(?:^|\/)\./.test(path)) return true;
  // A server that was built stands in a hidden folder, with all that it writes beside itself.
  const inOutput = path.replace(/^\.output\//, "");
  return mayBeData({ path: inOutput, mode: "100644" });
}

/** What people draw, write and set in an app, and what a tool makes of an app's sources just as well. */
const DOCUMENT = /\.(?:svg|x?html?|ya?ml|toml|ini|conf)$/i;
/** Folders for what is made anew wherever it is missing. */
const MADE_ANEW =
  /(?:^|\/)(?:[^/]*[-_.])?(?:caches?|cached|te?mp|generated|compiled)(?:[-_.][^/]*)?\//i;

/**
 * Whether a file that was not there before people used a published app is its data, by its name. Of one that was there, or that
 * came with the app's start, nothing tells: it is made of the sources.
 */
export function mayBeDocument(path: string): boolean {
  const [first = ""] = path.split("/", 1);
  if (isOutputFolder(first) || MADE_ANEW.test(path)) return false;
  return DOCUMENT.test(path) && !/(?:^|\/)\./.test(path);
}

/**
 * Whether a file may be data of the running app, going by what it is called: sources, settings, anything hidden, links and
 * programs never are, whoever writes them.
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

/** Files without an ending that are no data. */
const PROGRAM =
  /^(?:Dockerfile|Makefile|Procfile|Rakefile|Gemfile|Justfile|Caddyfile|Jenkinsfile|LICENSE|README|CNAME)$/i;
