import { sentence, type Sentence } from "@treadle/protocol/sentences";
import {
  inProject,
  installCommand,
  type Manifest,
  ownServer,
  type ProjectFacts,
  resolved,
  startsServerBeside,
  takesChanges,
} from "@treadle/agent";

/** How a project is prepared for publishing: commands to run on its files, in this order. */
export interface ReleasePlan {
  install?: string;
  build?: string;
  /** Servers that the project's build may have written; the first existing one is used. */
  servers: readonly BuiltServer[];
  /**
   * Folders that may contain the project as static files after the build, the likeliest first; `.` is
   * the project itself.
   */
  site: readonly string[];
  /** The start command, used if none of these servers and folders exists. */
  start?: string;
  /** The message if the build wrote none of these servers and folders. */
  missing?: Sentence;
}

/** A server that a framework's build writes. */
export interface BuiltServer {
  file: string;
  command: string;
}

/** The usual output folders: Vite and Astro; CRA and Docusaurus; Vike; Nuxt; Eleventy; Hugo. */
const SITES = [
  "dist",
  "build",
  "out",
  "dist/client",
  "build/client",
  "dist/public",
  ".output/public",
  "_site",
  "public",
];

/**
 * Commands that serve a folder of files, which Treadle does itself. A project's own program may
 * have such a name as well: `node serve.js`.
 */
const SERVES_FILES =
  /\b(?:vite|astro|gatsby)\s+(?:preview|serve)\b|(?<![\w./-]|\b(?:node|tsx|bun|deno|python3?)\s)(?:serve|sirv|http-server|live-server|treadle-serve)(?![\w.-])/;

/**
 * Servers written by framework builds: Nitro (Nuxt, SolidStart, TanStack Start), Astro and
 * SvelteKit with their Node adapters.
 */
const SERVERS: readonly BuiltServer[] = [
  { file: ".output/server/index.mjs", command: "node .output/server/index.mjs" },
  { file: "dist/server/entry.mjs", command: "node dist/server/entry.mjs" },
  { file: "build/handler.js", command: "node build" },
];

/** Packages whose command runs such a server. */
const SERVE_PACKAGES: Record<string, BuiltServer> = {
  "@react-router/serve": {
    file: "build/server/index.js",
    command: "npx --no-install react-router-serve build/server/index.js",
  },
  "@remix-run/serve": {
    file: "build/server/index.js",
    command: "npx --no-install remix-serve build/server/index.js",
  },
};

/** Next's own server runs its build, unless that was exported as files. */
const NEXT_START = /^(?:npx\s+(?:--no-install\s+)?)?next\s+start\b/;
const NEXT_EXPORT = ["out"];

const SVELTEKIT = sentence("sveltekit-output");

const isServer = (start: string, scripts: Manifest["scripts"]) =>
  startsServerBeside(start, scripts) || (!SERVES_FILES.test(start) && !takesChanges(start));

/**
 * The message about a structure that is usual for generated apps with an API: Vite, with a proxy to a
 * server of the project.
 */
const TWO_SERVERS = sentence("two-servers");

/**
 * How a project is published: what starts it without its development server, or what of it is served as files.
 * @returns a plan, or why the project cannot be published
 */
export function planRelease(facts: ProjectFacts): ReleasePlan | { problem: Sentence } {
  const { manifest, manifestError, indexHtml } = facts;
  if (manifestError !== undefined)
    return { problem: sentence("manifest-unreadable", { why: manifestError }) };
  if (!manifest)
    return indexHtml
      ? { servers: [], site: [facts.folder ?? "."] }
      : {
          problem: sentence("nothing-to-publish"),
        };
  const { scripts, dependencies } = manifest;
  const at = (command: string) => inProject(facts, command);
  const install =
    Object.keys(dependencies).length > 0 || manifest.usesWorkspaces
      ? { install: installCommand(facts) }
      : {};
  const build = scripts["build"] === undefined ? {} : { build: at("npm run build") };
  const below = (path: string) => (facts.folder ? `${facts.folder}/${path}` : path);
  const started = (start: string, site: readonly string[] = []): ReleasePlan => ({
    ...install,
    ...build,
    servers: [],
    site: site.map(below),
    start: at(start),
  });
  const start = scripts["start"] === undefined ? undefined : resolved(scripts["start"], scripts);
  if (start !== undefined && isServer(start, scripts))
    return started("npm start", NEXT_START.test(start) ? NEXT_EXPORT : []);
  const dev = scripts["dev"] ?? "";
  const own = ownServer(dev, scripts);
  if (own !== undefined) return started(own);
  if (startsServerBeside(dev, scripts)) return { problem: TWO_SERVERS };
  if (build.build !== undefined) {
    if (dependencies["next"] !== undefined)
      return started("npx --no-install next start", NEXT_EXPORT);
    const packaged = Object.keys(SERVE_PACKAGES).filter((name) => dependencies[name] !== undefined);
    const servers = [...SERVERS, ...packaged.map((name) => SERVE_PACKAGES[name]!)];
    return {
      ...install,
      ...build,
      servers: servers.map(({ file, command }) => ({ file: below(file), command: at(command) })),
      site: SITES.map(below),
      missing: dependencies["@sveltejs/kit"] === undefined ? undefined : SVELTEKIT,
    };
  }
  if (indexHtml && Object.keys(dependencies).length === 0)
    return { servers: [], site: [facts.folder ?? "."] };
  return {
    problem: sentence("development-server-only"),
  };
}
