import { parseEnv } from "node:util";
import { meansPostgres, readFacts } from "@treadle/agent";
import { isSandboxVariable, serverEnvironment } from "@treadle/egress";
import type { Release } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import {
  DATABASE_NAMES,
  isDataFile,
  isSecretFile,
  namesOtherDatabase,
  type Workspace,
  type WorkspaceSettings,
} from "@treadle/workspace";
import { CONTAINER_ENVIRONMENT } from "../../release/container-files.ts";
import { planRelease } from "../../release/plan-release.ts";
import { textIn } from "./text-in.ts";

/** Maximum number of files read, and bytes of one. */
const MOST_FILES = 50;
const FILE_BYTES = 64 * 1024;
/** The files that an app reads in production, as dotenv, Vite and Next.js call them. */
const FILES = ["", `.${CONTAINER_ENVIRONMENT.NODE_ENV}`].flatMap((mode) => [
  `.env${mode}`,
  `.env${mode}.local`,
]);

/**
 * A `.env` file with its variables that the published app lacks. Internal, as it contains values.
 */
export interface MissingVariables {
  code: "env-not-published" | "env-not-built";
  path: string;
  variables: { name: string; value: string }[];
}

/**
 * Finds variables in a project's `.env` files that the published app lacks, since a release
 * contains no such file. Empty values and files written by the app (`.data/.env`) are ignored, as
 * are variables that Treadle sets. `env-not-published`: a secret of the published app would supply
 * them. `env-not-built`: it is a site without a server, and builds get no secrets. If two files of
 * a folder set a variable, the later one in the result takes precedence.
 * @param settings of the published app
 * @param options.hasPostgres whether Treadle gives apps a PostgreSQL database
 * @param options.kind of the current release, if there is one
 */
export async function findMissingVariables(
  workspace: Workspace,
  settings: WorkspaceSettings,
  { hasPostgres, kind }: { hasPostgres: boolean; kind?: Release["kind"] | undefined },
): Promise<MissingVariables[]> {
  const paths = (await workspace.files.list()).files.map(({ path }) => path);
  const read = (path: string) =>
    workspace.files.read(toProjectPath(path), { limit: FILE_BYTES }).then(
      ({ bytes }) => textIn(bytes),
      () => undefined,
    );
  const found = await Promise.all(
    paths
      .filter(isProductionFile)
      .toSorted(byPrecedence)
      .slice(0, MOST_FILES)
      .map(async (path) => {
        const values = parseEnv(withoutMark((await read(path)) ?? ""));
        return { path, values };
      }),
  );
  // A published app has an address, even if it is not known yet.
  const supplied = new Set([
    ...Object.keys(CONTAINER_ENVIRONMENT),
    ...Object.keys(serverEnvironment({ address: "", ...settings })),
  ]);
  const all = Object.assign({}, ...found.map(({ values }) => values)) as Record<string, string>;
  if (hasPostgres && !namesOtherDatabase(all) && (await meansPostgres(paths, read)))
    for (const name of DATABASE_NAMES) supplied.add(name);
  const missing = found
    .map(({ path, values }) => ({
      path,
      variables: Object.entries(values).flatMap(([name, value = ""]) =>
        value === "" || supplied.has(name) || isSandboxVariable(name) ? [] : [{ name, value }],
      ),
    }))
    .filter(({ variables }) => variables.length > 0);
  if (missing.length === 0) return [];
  const isSite = kind === undefined ? await looksLikeSite(workspace) : kind === "site";
  const code = isSite ? "env-not-built" : "env-not-published";
  return missing.map((one) => ({ code, ...one }));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const isProductionFile = (path: string) =>
  isSecretFile(path) && !isDataFile(path) && FILES.includes(nameOf(path));
const byPrecedence = (one: string, other: string) =>
  FILES.indexOf(nameOf(one)) - FILES.indexOf(nameOf(other));

/** Removes a byte-order mark, which would become part of the first name. */
const withoutMark = (text: string) => text.replace(/^\uFEFF/, "");

/**
 * Whether a project that was never published will be a site: its build begins with `index.html`,
 * and nothing starts a server.
 */
async function looksLikeSite(workspace: Workspace): Promise<boolean> {
  const facts = await readFacts(workspace);
  const plan = planRelease(facts);
  return !("problem" in plan) && plan.start === undefined && facts.indexHtml;
}
