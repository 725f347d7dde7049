import { isSqliteFile } from "@treadle/protocol/project-path";
import { MIGRATE_SCRIPT, migrateScript } from "./container-migrate.ts";

/** The port of an app inside its container. */
export const CONTAINER_PORT = 3000;
/**
 * Variables of a published app. In Treadle's own sandbox, the last three are left to the app, and
 * Treadle detects its port.
 */
export const CONTAINER_ENVIRONMENT = {
  NODE_ENV: "production",
  HOST: "0.0.0.0",
  HOSTNAME: "0.0.0.0",
  PORT: String(CONTAINER_PORT),
};

/** The facts about a project that decide how it runs in a container. */
export interface ContainerFacts {
  scripts: Readonly<Record<string, unknown>>;
  dependencies: Readonly<Record<string, unknown>>;
  /** Whether the project's folder contains a file of that name. */
  has(name: string): boolean;
  /** Files that the app writes, if known; they must outlive its container. */
  data?: readonly string[];
  /** All files of the project, if known: a folder that contains only data is data as a whole. */
  names?: ReadonlySet<string>;
  /** Whether there are migrations, which Treadle would run. */
  migrations?: boolean;
  /** Whether it uses PostgreSQL, which is then part of the compose file. */
  postgres?: boolean;
  /**
   * Text of its lock file, one of `LOCK_FILES`, which shows whether packages have to be compiled.
   */
  lock?: string | undefined;
}

/** In order of precedence for choosing the package manager. */
export const LOCK_FILES = ["pnpm-lock.yaml", "yarn.lock", "package-lock.json"] as const;

/** Files by name; undefined if nothing in the project can be run or served. */
export type ContainerFiles = Record<string, string> | undefined;

const IGNORED = `.git
.env*
.treadle
.treadle-release
node_modules
dist
build
out
.next
data
*.log
*.db
*.db-*
*.sqlite
*.sqlite-*
`;

/** The default folder for an app's data, on a volume. */
const DATA = "data";

/**
 * The files that build and run a project in a container without Treadle: `Dockerfile`,
 * `.dockerignore`, `compose.yaml`, for a site `nginx.conf`, for an app with migrations the script
 * that runs them. A project is run by its `start` script; one that is only built is served as
 * files; without either, its `dev` script runs; a plain folder is served as it is.
 */
export function containerFiles(facts: ContainerFacts): ContainerFiles {
  const { has } = facts;
  const app = has("package.json") ? appOf(facts) : undefined;
  if (app)
    return {
      Dockerfile: app,
      ".dockerignore": `${IGNORED}${placesOf(facts)
        .map(({ path }) => (isSqliteFile(path) ? `${path}\n${path}-*\n` : `${path}\n`))
        .join("")}`,
      "compose.yaml": compose(facts.postgres ? "postgres" : "files"),
      ...(facts.migrations && { [MIGRATE_SCRIPT]: migrateScript(databaseOf(facts)) }),
    };
  const built = has("package.json") && typeof facts.scripts["build"] === "string";
  if (built)
    return siteFiles(
      `COPY --from=${compiles(facts) ? "build" : "app"} /site /site`,
      buildStage(facts),
    );
  if (has("index.html")) return siteFiles("COPY . /site");
  return undefined;
}

/** The files that serve static files in a container, such as a built site. */
export function siteFiles(copy = "COPY . /site", before = ""): Record<string, string> {
  return {
    Dockerfile: lines([
      "ARG NODE_IMAGE=node:24-slim",
      `ARG SITE_IMAGE=nginxinc/nginx-unprivileged:1.29-alpine`,
      `${before}FROM \${SITE_IMAGE}`,
      copy,
      "COPY nginx.conf /etc/nginx/conf.d/default.conf",
      "USER root",
      // A single-page site answers every address with its page; otherwise with 404.html, if there
      // is one.
      'RUN rm -f /site/Dockerfile /site/.dockerignore /site/compose.yaml /site/nginx.conf; if [ "$(find /site -name "*.html" | wc -l)" = 1 ]; then echo "error_page 404 =200 /index.html;"; elif [ -e /site/404.html ]; then echo "error_page 404 /404.html;"; fi > /etc/nginx/missing.conf',
      "USER 101",
      `EXPOSE ${CONTAINER_PORT}`,
      `HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD wget -q -O /dev/null http://127.0.0.1:${CONTAINER_PORT}/ || exit 1`,
    ]),
    ".dockerignore": IGNORED.replace(
      /^(?:dist|build|out|data|\*\.(?:db|sqlite)(?:-\*)?)\n/gm,
      (line) => (before === "" ? "" : line),
    ),
    "compose.yaml": compose("none"),
    "nginx.conf": NGINX,
  };
}

const NGINX = `server {
  listen ${CONTAINER_PORT};
  root /site;
  absolute_redirect off;
  server_tokens off;
  gzip on;
  gzip_types text/css text/javascript application/javascript application/json image/svg+xml;
  add_header X-Content-Type-Options nosniff always;
  include /etc/nginx/missing.conf;
  location ~ /\\.(?!well-known/) {
    return 404;
  }
  location / {
    try_files $uri $uri.html $uri/index.html =404;
  }
}
`;

function appOf(facts: ContainerFacts): string | undefined {
  const { scripts, dependencies } = facts;
  const { run } = managerOf(facts);
  const isBuilt = typeof scripts["build"] === "string";
  const command =
    typeof scripts["start"] === "string"
      ? `${run} start`
      : isBuilt && "next" in dependencies
        ? "npx next start"
        : !isBuilt && typeof scripts["dev"] === "string"
          ? `${run} dev`
          : undefined;
  if (command === undefined) return undefined;
  return lines([
    "ARG NODE_IMAGE=node:24-slim",
    ...stepsOf(facts),
    // The final stage has no compiler.
    ...(compiles(facts) ? [...stage("app"), "COPY --from=build /app ."] : []),
    `ENV ${Object.entries(CONTAINER_ENVIRONMENT)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ")}`,
    `RUN mkdir -p ${DATA}${placesOf(facts).map(linkOf).join("")} && chown ${["node:node", ".", ...besidesData(facts)].join(" ")} && chown -R node:node ${DATA}`,
    `VOLUME /app/${DATA}`,
    `EXPOSE ${CONTAINER_PORT}`,
    "USER node",
    `HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT).then(({status})=>process.exit(status<500?0:1),()=>process.exit(1))"`,
    facts.migrations ? `CMD node ${MIGRATE_SCRIPT} && ${command}` : `CMD ${command}`,
  ]);
}

/** The database that the app was observed to use, or else the usual one. */
function databaseOf({ data = [] }: ContainerFacts): string {
  const found = data.filter(isSqliteFile);
  return found.length === 1 ? found[0]! : `${DATA}/app.db`;
}

/** A place outside of the data folder to which the app writes. */
interface Place {
  path: string;
  isFolder: boolean;
}

/** Placeholder files that keep an empty folder in a repository. */
const KEEPS_FOLDER = /(?:^|\/)\.(?:git)?(?:keep|ignore)$/;

/** The places outside of the data folder: folders that contain only data, and single files beside sources. */
function placesOf({ data = [], names = new Set() }: ContainerFacts): Place[] {
  const written = new Set(data);
  const sources = new Set(
    [...names]
      .filter((name) => !written.has(name) && !KEEPS_FOLDER.test(name))
      .flatMap((name) => foldersOf(name)),
  );
  const toBe = [...names].filter(
    (name) => KEEPS_FOLDER.test(name) && foldersOf(name).some((folder) => !sources.has(folder)),
  );
  const places = new Map<string, Place>();
  for (const file of [...data, ...toBe]) {
    // Names with a meaning in a shell are left out.
    if (file.startsWith(`${DATA}/`) || !/^[\w@+-][\w.@+/-]*$/.test(file) || file.includes(".."))
      continue;
    const folder = foldersOf(file).find((one) => !sources.has(one));
    const path = folder ?? file;
    places.set(path, { path, isFolder: folder !== undefined });
  }
  return [...places.values()];
}

/**
 * Folders of sources to which the app was observed to write, as it may write further files there.
 */
const besidesData = (facts: ContainerFacts): string[] => [
  ...new Set(
    placesOf(facts).flatMap(({ path, isFolder }) => (isFolder ? [] : foldersOf(path).slice(-1))),
  ),
];

/** Returns `a`, `a/b` for `a/b/c.txt`. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Shell commands that link a place to the data folder, so that it is on the volume as well. */
function linkOf({ path, isFolder }: Place): string {
  const above = foldersOf(path);
  const parent = above.at(-1);
  const folders = [
    ...(isFolder ? [`${DATA}/${path}`] : parent === undefined ? [] : [`${DATA}/${parent}`]),
    ...(parent === undefined ? [] : [parent]),
  ];
  const make = folders.length > 0 ? ` && mkdir -p ${folders.join(" ")}` : "";
  const target = `${"../".repeat(above.length)}${DATA}/${path}`;
  return `${make} && { [ -e ${path} ] || ln -s ${target} ${path}; }`;
}

/** A stage on the Node image, with the app in `/app`. */
const stage = (name: string) => [`FROM \${NODE_IMAGE} AS ${name}`, "WORKDIR /app"];

/**
 * Installs a compiler for native packages, which the slim image lacks. If that fails, npm may still
 * find prebuilt binaries.
 */
const COMPILER = `RUN { command -v g++ && command -v make && command -v python3; } > /dev/null || if command -v apk; then apk add --no-cache g++ make python3; else apt-get update && apt-get install -y --no-install-recommends g++ make python3; fi || echo "No compiler could be installed."`;

/** Native packages that need a compiler, at least without a prebuilt binary. */
const NATIVE =
  /["'/\s](?:node-addon-api|nan|node-gyp|node-pre-gyp|prebuild-install|cmake-js|bindings)["'@:]/;

const compiles = ({ lock = "" }: ContainerFacts): boolean => NATIVE.test(lock);

function stepsOf(facts: ContainerFacts): string[] {
  const { install, run } = managerOf(facts);
  return [
    ...stage(compiles(facts) ? "build" : "app"),
    ...(compiles(facts) ? [COMPILER] : []),
    "COPY . .",
    `RUN ${install}`,
    ...(typeof facts.scripts["build"] === "string" ? [`RUN ${run} build`] : []),
  ];
}

const buildStage = (facts: ContainerFacts) =>
  lines([
    ...stepsOf(facts),
    // The usual output folders of Vite and Astro, Create React App, and Next's export.
    'RUN for made in dist build out; do if [ -e "$made/index.html" ]; then mv "$made" /site; break; fi; done; test -e /site/index.html',
    "",
  ]);

/** The compose file: restarts the app, puts its data on a volume, and drops unneeded privileges. */
const compose = (data: "none" | "files" | "postgres") =>
  `services:
  app:
    build: .
    restart: unless-stopped
    init: true
    ports:
      - "127.0.0.1:\${PORT:-${CONTAINER_PORT}}:${CONTAINER_PORT}"
    security_opt:
      - no-new-privileges:true
    cap_drop:
      - ALL
${data === "none" ? "" : WITH_DATA}${data === "postgres" ? WITH_POSTGRES : ""}${data === "none" ? "" : "\nvolumes:\n  data:\n"}${data === "postgres" ? "  database:\n" : ""}`;

const WITH_DATA = `    env_file:
      - path: .env
        required: false
    volumes:
      - data:/app/${DATA}
`;

/**
 * Uses the same variables as the preview. Pinned to one major version, since the next cannot read
 * its files.
 */
const WITH_POSTGRES = `    environment:
      PGHOST: db
      PGPORT: "5432"
      PGUSER: app
      PGDATABASE: app
      PGPASSWORD: \${POSTGRES_PASSWORD}
      DB_HOST: db
      DB_PORT: "5432"
      DB_USER: app
      DB_USERNAME: app
      DB_PASSWORD: \${POSTGRES_PASSWORD}
      DB_NAME: app
      DB_DATABASE: app
      DATABASE_URL: \${DATABASE_URL:-postgres://app:\${POSTGRES_PASSWORD}@db:5432/app}
    depends_on:
      db:
        condition: service_healthy

  db:
    image: postgres:17-alpine
    restart: unless-stopped
    environment:
      POSTGRES_USER: app
      POSTGRES_DB: app
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?is the password of the database - write POSTGRES_PASSWORD=... into .env}
    volumes:
      - database:/var/lib/postgresql/data
    security_opt:
      - no-new-privileges:true
    healthcheck:
      test: ["CMD", "pg_isready", "-U", "app", "-d", "app"]
      interval: 5s
      timeout: 5s
      retries: 12
`;

const lines = (all: readonly string[]) => `${all.join("\n")}\n`;

function managerOf({ has }: ContainerFacts): { install: string; run: string } {
  if (has("pnpm-lock.yaml"))
    return { install: "corepack enable && pnpm install --frozen-lockfile", run: "pnpm run" };
  if (has("yarn.lock"))
    return { install: "corepack enable && yarn install --immutable", run: "yarn run" };
  return { install: has("package-lock.json") ? "npm ci" : "npm install", run: "npm run" };
}
