import { existsSync } from "node:fs";
import { join } from "node:path";

import { isRecord, readMadeManifest } from "../made-file.ts";

/** Serves files in the image of a site that needs no server of its own. */
const STATIC_SERVER = "serve@14.2.5";
const PORT = 3000;

/** What a container of the app listens on inside. */
export const CONTAINER_PORT = PORT;

interface Manifest {
  scripts?: Record<string, unknown>;
  dependencies?: Record<string, unknown>;
}

const COMPOSE = `services:
  app:
    build: .
    restart: unless-stopped
    ports:
      - "127.0.0.1:\${PORT:-${PORT}}:${PORT}"
`;

const IGNORED = `.git
.env*
.treadle
node_modules
dist
build
out
.next
*.log
`;

/**
 * What builds and runs a project in a container without Treadle: `Dockerfile`, `.dockerignore`, `compose.yaml`.
 * A project with a `start` script is run by that; one that is only built is served as files; where there is neither, its `dev`
 * script runs; a folder of files is served as it is.
 * @param directory of the project, absolute
 * @returns the files by name, or the sentence that says why it cannot be put into a container
 */
export function containerFiles(directory: string): Record<string, string> | { wrong: string } {
  const has = (path: string) => existsSync(join(directory, path));
  const dockerfile = has("package.json")
    ? dockerfileOf(readManifest(directory), has)
    : has("index.html")
      ? siteOf("COPY . /site")
      : undefined;
  if (dockerfile === undefined)
    return {
      wrong:
        "It cannot be put into a container: there is no start, build or dev script and no index.html.",
    };
  return { Dockerfile: dockerfile, ".dockerignore": IGNORED, "compose.yaml": COMPOSE };
}

/** What generated code says of itself, as far as it is what it has to be. */
function readManifest(directory: string): Manifest {
  const { scripts, dependencies } = readMadeManifest(directory) ?? {};
  return {
    ...(isRecord(scripts) ? { scripts } : {}),
    ...(isRecord(dependencies) ? { dependencies } : {}),
  };
}

function dockerfileOf(
  { scripts = {}, dependencies = {} }: Manifest,
  has: (path: string) => boolean,
): string | undefined {
  const { install, run } = managerOf(has);
  const isBuilt = typeof scripts["build"] === "string";
  const steps = [
    "FROM ${NODE_IMAGE} AS app",
    "WORKDIR /app",
    "COPY . .",
    `RUN ${install}`,
    ...(isBuilt ? [`RUN ${run} build`] : []),
  ];
  const starts = (command: string) =>
    lines([
      "ARG NODE_IMAGE=node:24-slim",
      ...steps,
      `ENV NODE_ENV=production HOST=0.0.0.0 HOSTNAME=0.0.0.0 PORT=${PORT}`,
      `EXPOSE ${PORT}`,
      "USER node",
      `CMD ${command}`,
    ]);
  if (typeof scripts["start"] === "string") return starts(`${run} start`);
  if (isBuilt && "next" in dependencies) return starts("npx next start");
  if (isBuilt)
    return siteOf(
      "COPY --from=app /site /site",
      lines([
        ...steps,
        // Where tools put it: Vite and Astro, Create React App, Next's export.
        'RUN for made in dist build out; do if [ -e "$made/index.html" ]; then mv "$made" /site; break; fi; done; test -e /site/index.html',
        "",
      ]),
    );
  if (typeof scripts["dev"] === "string") return starts(`${run} dev`);
  return has("index.html") ? siteOf("COPY . /site") : undefined;
}

/** An image that serves the files under `/site`; a page that has only one is given for every address, as its router wants. */
const siteOf = (copy: string, before = "") =>
  lines([
    "ARG NODE_IMAGE=node:24-slim",
    `${before}FROM \${NODE_IMAGE}`,
    `RUN npm install --global ${STATIC_SERVER}`,
    copy,
    `ENV PORT=${PORT}`,
    `EXPOSE ${PORT}`,
    "USER node",
    'CMD single=; [ "$(find /site -name "*.html" | wc -l)" = 1 ] && single=--single; exec serve $single --listen "tcp://0.0.0.0:$PORT" /site',
  ]);

const lines = (all: readonly string[]) => `${all.join("\n")}\n`;

function managerOf(has: (path: string) => boolean): { install: string; run: string } {
  if (has("pnpm-lock.yaml"))
    return { install: "corepack enable && pnpm install --frozen-lockfile", run: "pnpm run" };
  if (has("yarn.lock"))
    return { install: "corepack enable && yarn install --immutable", run: "yarn run" };
  return { install: has("package-lock.json") ? "npm ci" : "npm install", run: "npm run" };
}
