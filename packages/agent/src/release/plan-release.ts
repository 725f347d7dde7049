import { installCommand } from "../evidence/install.ts";
import { inProject, type ProjectFacts } from "../project/project-facts.ts";
import { takesChanges } from "../project/takes-changes.ts";

/** How a project is made ready to be published: commands from its files as they are, in this order. */
export interface ReleasePlan {
  install?: string;
  build?: string;
  /** Starts the app; absent: it is files alone. */
  start?: string;
  /** Folders one of which holds those files once it is built, the likeliest first; `.` is the project itself. */
  site: readonly string[];
}

/** Where builds write a site, by what is usual: Vite and Astro; CRA and Docusaurus; Next's export; Vike; Eleventy; Hugo. */
const SITES = [
  "dist",
  "build",
  "out",
  "dist/client",
  "build/client",
  "dist/public",
  "_site",
  "public",
];

/** Serves a folder of files, which is done here by itself. A program of the project's own may be called so too: `node serve.js`. */
const SERVES_FILES =
  /\b(?:vite|astro|gatsby)\s+(?:preview|serve)\b|(?<![\w./-]|\b(?:node|tsx|bun|deno|python3?)\s)(?:serve|sirv|http-server|live-server|treadle-serve)(?![\w.-])/;

/** What has a server of its own although no script starts it. */
const SERVERS: Record<string, string> = {
  next: "npx --no-install next start",
  nuxt: "node .output/server/index.mjs",
};

/**
 * How a project is published: what starts it without its development server, or what of it is served as files.
 * @returns a plan, or a sentence that says what is missing
 */
export function planRelease(facts: ProjectFacts): ReleasePlan | { problem: string } {
  const { manifest, manifestError, indexHtml } = facts;
  if (manifestError !== undefined) return { problem: `${manifestError}.` };
  if (!manifest)
    return indexHtml
      ? { site: [facts.folder ?? "."] }
      : {
          problem:
            "There is neither an index.html nor a package.json, so there is nothing to publish.",
        };
  const { scripts, dependencies } = manifest;
  const at = (command: string) => inProject(facts, command);
  const install =
    Object.keys(dependencies).length > 0 || manifest.usesWorkspaces
      ? { install: installCommand(facts) }
      : {};
  const build = scripts["build"] === undefined ? {} : { build: at("npm run build") };
  const site = SITES.map((folder) => (facts.folder ? `${facts.folder}/${folder}` : folder));
  const start = scripts["start"];
  if (start !== undefined && !SERVES_FILES.test(start) && !takesChanges(start))
    return { ...install, ...build, start: at("npm start"), site: [] };
  if (build.build !== undefined) {
    const server = Object.keys(SERVERS).find((name) => dependencies[name] !== undefined);
    // A site that was exported needs no server.
    return server === undefined
      ? { ...install, ...build, site }
      : { ...install, ...build, start: at(SERVERS[server]!), site };
  }
  if (indexHtml && Object.keys(dependencies).length === 0) return { site: [facts.folder ?? "."] };
  return {
    problem:
      "Only its development server can start it. What is published needs a “start” script in package.json that serves the app, or a “build” script that writes it as files.",
  };
}
