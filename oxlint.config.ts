/**
 * What `npm run check` looks for in the code. Beside oxlint's own rules: packages know only what stands before them in the
 * house, and the folders of a package only those that stand above them in the table of its README. Both are orders, so that
 * neither packages nor folders can import each other or go in a circle.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type DummyRuleMap } from "oxlint";

/** What each package must not know. */
const LAYERS: Record<string, { group: string[]; message: string }> = {
  "packages/dialects": {
    group: ["@treadle/*", "node:*"],
    message: "dialects stands alone: no package, no Node, no DOM.",
  },
  "packages/protocol": {
    group: ["@treadle/*", "!@treadle/dialects", "node:*"],
    message: "protocol knows only dialects: no Node, no DOM.",
  },
  "packages/common": {
    group: ["@treadle/*", "!@treadle/protocol"],
    message: "common knows only protocol: every other package may know it.",
  },
  "packages/egress": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common"],
    message: "egress knows sockets and names: no workspace.",
  },
  "packages/workspace": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common", "!@treadle/egress"],
    message: "workspace knows only protocol, common and egress.",
  },
  "packages/probe": {
    group: ["@treadle/*", "node:*"],
    message: "probe runs in pages: no package, no Node.",
  },
  "packages/browser": {
    group: [
      "@treadle/*",
      "!@treadle/probe",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/parsing",
      "!@treadle/egress",
      "!@treadle/workspace",
    ],
    message: "browser knows what a page is, not whose: no agent, no server.",
  },
  "packages/gateway": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/probe",
      "!@treadle/browser",
    ],
    message: "gateway passes requests on: no agent, no server, no workspace.",
  },
  "packages/app-database": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/egress",
      "!@treadle/workspace",
      "!@treadle/store",
    ],
    message: "app-database asks inside sandboxes: no agent, no server.",
  },
  "packages/archives": {
    group: ["@treadle/*", "!@treadle/common", "!@treadle/protocol", "!@treadle/workspace"],
    message: "archives knows workspaces: no server.",
  },
  "packages/bolt": {
    group: [
      "@treadle/*",
      "!@treadle/dialects",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/store",
      "!@treadle/workspace",
    ],
    message: "bolt knows a wire format and workspaces: no agent, no server.",
  },
  "packages/transcripts": {
    group: [
      "@treadle/*",
      "!@treadle/dialects",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/store",
      "!@treadle/agent",
    ],
    message: "transcripts reads and writes logs: no workspace, no server.",
  },
  "packages/model-settings": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/scripted-model",
      "!@treadle/store",
      "!@treadle/accounts",
      "!@treadle/agent",
    ],
    message: "model-settings knows models and people: no workspace, no server.",
  },
  "packages/replay": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/store",
      "!@treadle/workspace",
      "!@treadle/agent",
      "!@treadle/publish",
      "!@treadle/transcripts",
      "!@treadle/model-settings",
    ],
    message: "replay knows transcripts, and a server by its API: no server.",
  },
  "packages/attempts": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/store",
      "!@treadle/workspace",
      "!@treadle/accounts",
      "!@treadle/git",
      "!@treadle/transcripts",
    ],
    message: "attempts sees projects by its own ports: no agent, no server.",
  },
  "packages/telemetry": {
    group: ["@treadle/*", "!@treadle/common", "!@treadle/protocol"],
    message: "telemetry knows the log's events: no store, no server.",
  },
  "packages/trust": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/workspace",
      "!@treadle/store",
      "!@treadle/agent",
    ],
    message: "trust knows files, logs and what agents obey: no server.",
  },
  "packages/cluster": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common", "!@treadle/store"],
    message: "cluster knows leases and sockets: no routes, no server.",
  },
  "packages/notifications": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/store",
      "!@treadle/agent",
    ],
    message: "notifications sends news: no workspace, no server.",
  },
  "packages/co-editing": {
    group: [
      "@treadle/*",
      "!@treadle/dialects",
      "!@treadle/protocol",
      "!@treadle/store",
      "!@treadle/workspace",
    ],
    message: "co-editing knows sockets, files and the log: no agent, no server.",
  },
  "packages/comments": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common"],
    message: "comments knows the log's events: no files, no server.",
  },
  "packages/pictures": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common"],
    message: "pictures knows files: no messages of a run, no server.",
  },
  "packages/terminals": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common", "!@treadle/workspace"],
    message: "terminals knows sockets and workspaces: no server.",
  },
  "packages/design": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/parsing",
      "!@treadle/workspace",
    ],
    message: "design reads and writes style sheets: no agent, no server.",
  },
  "packages/git": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/egress",
      "!@treadle/parsing",
      "!@treadle/workspace",
      "!@treadle/store",
    ],
    message: "git knows repositories and checkpoints: no agent, no server.",
  },
  "packages/publish": {
    group: [
      "@treadle/server",
      "@treadle/client",
      "@treadle/scripted-model",
      "@treadle/web",
      "treadle",
    ],
    message: "publish sees a project by its own ports: no server, no page.",
  },
  "packages/tool-servers": {
    group: [
      "@treadle/*",
      "!@treadle/protocol",
      "!@treadle/common",
      "!@treadle/egress",
      "!@treadle/workspace",
      "!@treadle/store",
      "!@treadle/agent",
    ],
    message: "tool-servers knows sandboxes and the agent's connections: no server.",
  },
  "packages/mcp-server": {
    group: ["@treadle/*", "!@treadle/client", "!@treadle/common", "!@treadle/protocol"],
    message: "mcp-server is a client of the server.",
  },
  "packages/fullstack-bench": {
    group: ["@treadle/server", "@treadle/client", "@treadle/store", "@treadle/web", "treadle"],
    message: "fullstack-bench plays rules on apps: no server.",
  },
  "packages/accounts": {
    group: ["@treadle/*", "!@treadle/protocol", "!@treadle/common", "!@treadle/store"],
    message: "accounts knows people and roles: no routes, no server.",
  },
  "packages/parsing": {
    group: ["@treadle/*"],
    message: "parsing stands alone: it runs modules that others name.",
  },
  "packages/store": {
    group: ["@treadle/*", "!@treadle/protocol"],
    message: "store knows only protocol.",
  },
  "packages/client": {
    group: ["@treadle/*", "!@treadle/protocol"],
    message: "client knows of the server what the server says of itself.",
  },
  "packages/agent": {
    group: [
      "@treadle/{browser,gateway,app-database,git,publish,server}",
      "@treadle/web",
      "treadle",
      "hono",
      "kysely",
    ],
    message: "agent knows protocol, workspace and store: no HTTP, no SQL.",
  },
  "packages/scripted-model": {
    group: ["@treadle/*"],
    message: "scripted-model stands for an upstream: it knows wire formats, not Treadle.",
  },
  "packages/server": {
    group: ["@treadle/web", "treadle"],
    message: "server does not know the page or the command line.",
  },
  "apps/web": {
    group: ["@treadle/*", "!@treadle/dialects", "!@treadle/protocol", "node:*"],
    message: "web knows dialects and protocol; of the server only route types.",
  },
  "apps/cli": { group: ["@treadle/web"], message: "the command line does not know the page." },
};

const TESTS = ["**/*.test.ts", "**/*.test.tsx", "**/*.test-support.ts"];

/** The folders of a package, in the order of the table in its README. */
function foldersInOrder(name: string): string[] {
  const readme = readFileSync(join(import.meta.dirname, name, "README.md"), "utf8");
  const [, section = ""] =
    /^## The folders, in order\n([^]*?)(?=^## |$(?![^]))/m.exec(readme) ?? [];
  const rows = [...section.matchAll(/^\| `([\w-]+)` +\|[^|\n]*(?:\|([^|\n]*))?\|$/gm)];
  return rows.map(([, folder = "", begin = ""]) => {
    for (const [, file = ""] of begin.matchAll(/`([^`]+)`/g))
      mustExist(`${name}/src/${folder}/${file}`, `${name}/README.md`);
    return folder;
  });
}

/** What the documents say is where has to be there. */
function mustExist(path: string, document: string): void {
  if (!existsSync(join(import.meta.dirname, path)))
    throw new Error(`${document} names ${path}, which is not there`);
}

const MAP = "docs/architecture.md";
for (const [, path = ""] of readFileSync(join(import.meta.dirname, MAP), "utf8").matchAll(
  /`((?:packages|apps)\/[^`<]+)`/g,
))
  mustExist(path, MAP);

/** The folders of a package on disk. A folder left empty by a move does not count. */
function foldersOf(name: string): string[] {
  const source = join(import.meta.dirname, name, "src");
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /^[^/]+\/.*\.tsx?$/.test(file))
    .map((file) => file.slice(0, file.indexOf("/")))
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .toSorted();
}

/**
 * Names that @treadle/protocol exports only for others: what returns them is in a separate package.
 */
const FORWARDED = {
  group: readdirSync(join(import.meta.dirname, "packages/protocol/src/dialects")).map(
    (file) => `@treadle/protocol/${file.replace(/\.ts$/, "")}`,
  ),
  message: "import it from @treadle/dialects.",
};

const houseRules = Object.entries(LAYERS).flatMap(([name, layer]) => {
  const rule = (...later: { regex: string; message: string }[]): DummyRuleMap => ({
    "no-restricted-imports": ["error", { patterns: [layer, FORWARDED, ...later] }],
  });
  const allRules = { files: [`${name}/src/**`], rules: rule() };
  const folders = foldersInOrder(name);
  const [written, found] = [folders.toSorted().join(", "), foldersOf(name).join(", ")];
  if (written !== found)
    throw new Error(`${name}/src has ${found}; its README.md lists ${written || "none"}`);
  const each = folders.slice(0, -1).map((folder, index) => ({
    files: [`${name}/src/${folder}/**`],
    excludeFiles: TESTS,
    rules: rule({
      regex: `^(\\.\\./)+(${folders.slice(index + 1).join("|")})/`,
      message: `${folder} stands above it in the order of ${name}/README.md.`,
    }),
  }));
  return [allRules, ...each];
});

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "react", "oxc"],
  jsPlugins: ["./scripts/lint/plain-names.mjs"],
  categories: { correctness: "error", suspicious: "off", perf: "off" },
  ignorePatterns: [
    "**/dist/**",
    "packages/workspace/templates/**",
    "packages/publish/gate-apps/**",
    "packages/scripted-model/demos/**",
    "packages/scripted-model/scripts/**",
    "e2e/scripts/**",
  ],
  rules: {
    "no-console": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "import/no-cycle": "error",
    "house/plain-names": "error",
    eqeqeq: ["error", "always", { null: "ignore" }],
  },
  overrides: [
    {
      // The server is made layer on layer: none takes what is made after it.
      files: ["packages/server/src/assemble*.ts"],
      rules: {
        "no-use-before-define": "error",
        "max-lines-per-function": ["error", { max: 100 }],
      },
    },
    {
      // A component that is longer does more than one thing.
      files: ["apps/web/src/**/*.tsx"],
      rules: { "max-lines": ["error", { max: 250 }] },
    },
    ...houseRules,
    {
      // Tests of these compare what they see with how the agent judges it.
      files: ["packages/{browser,gateway}/src/**/*.test.ts"],
      rules: { "no-restricted-imports": "off" },
    },
    {
      files: ["packages/{dialects,protocol}/src/**/*.{test,test-support}.ts"],
      rules: { "no-restricted-imports": "off" },
    },
    {
      // The programs in pages report what a page prints.
      files: [
        "scripts/**",
        "bench/**",
        "**/*.test.ts",
        "**/soak/**",
        "**/*.mjs",
        "packages/probe/src/**",
      ],
      rules: { "no-console": "off" },
    },
  ],
});
