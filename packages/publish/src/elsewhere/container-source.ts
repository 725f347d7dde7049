import { containerFiles, LOCK_FILES, siteFiles } from "../release/container-files.ts";
import { isMigration, meansPostgres } from "@treadle/agent";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { readGitAddress } from "@treadle/git";
import { pushRelease } from "./push-release.ts";
import type { Texts } from "./release-tree.ts";
import type { ReleaseToSend, Sending } from "./target.ts";

/** The branch from which a host builds. */
const BRANCH = "treadle-release";

/**
 * The files that build and run a release in a container, including names that the release already has.
 * @throws ApiFailure 422 `no-container` if there is nothing to run
 */
export async function containerTexts(
  release: { kind: ReleaseToSend["kind"]; data?: readonly string[] },
  names: ReadonlySet<string>,
  read: (path: string) => Promise<string>,
): Promise<Texts> {
  const has = (path: string) => names.has(path);
  if (release.kind === "site") return siteFiles();
  const { scripts = {}, dependencies = {} } = has("package.json")
    ? manifestIn(await read("package.json"))
    : {};
  const postgres = await meansPostgres(names, read);
  const lock = LOCK_FILES.find(has);
  const files = containerFiles({
    scripts,
    dependencies,
    has,
    names,
    migrations: [...names].some(isMigration),
    postgres,
    lock: lock ? await read(lock) : undefined,
    data: release.data,
  });
  if (!files) throw new ApiFailure(422, "no-container", sentence("no-container"));
  return files;
}

type Named = Record<string, unknown>;
type Manifest = Partial<Record<"scripts" | "dependencies" | "devDependencies", Named>>;

function manifestIn(text: string): Manifest {
  const manifest = objectIn(text);
  const parts = ["scripts", "dependencies", "devDependencies"].filter((name) =>
    isNamed(manifest[name]),
  );
  return Object.fromEntries(parts.map((name) => [name, manifest[name]]));
}

const isNamed = (value: unknown): value is Named => typeof value === "object" && value !== null;

/** Parses a JSON object. Returns an empty one if the text is something else. */
function objectIn(text: string): Named {
  try {
    const value: unknown = JSON.parse(text);
    return isNamed(value) ? value : {};
  } catch {
    return {};
  }
}

/** The repository, branch and commit from which a host builds a release. */
export interface Source {
  repository: string;
  branch: string;
  commit: string;
}

/**
 * Pushes a release with its build files to a branch of the given repository, with the saved login.
 */
export async function pushSource(release: ReleaseToSend, sending: Sending): Promise<Source> {
  const { place, logins } = sending;
  const branch = place.branch ?? BRANCH;
  const address = readGitAddress(place.repository ?? "");
  const remote = await logins.remoteOf(address, place.local === true);
  const commit = await pushRelease(
    release,
    { remote, branch, added: (names, read) => containerTexts(release, names, read) },
    sending,
  );
  return { repository: address.url, branch, commit };
}
