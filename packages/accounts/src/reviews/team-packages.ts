import { ApiFailure } from "@treadle/common";
import type { Author, ReviewedPackage } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import type { StoredReview } from "./review-rows.ts";
import type { Reviews } from "./reviews.ts";

/** Time in milliseconds that reading about a package may take. */
const DESCRIBE_MS = 60_000;
/** Maximum number of a project's packages for which one refused install asks. */
const ASKED_AT_ONCE = 20;
/** Number of rows that are inserted with one statement. */
const ROWS = 100;

/** What is asked of the package registry: `PackageRequest` of `@treadle/egress`. */
export interface AskedPackage {
  name?: string;
  /** Set for an archive, whose version is fixed. */
  version?: string;
}

export interface TeamPackageParts {
  /** Reads about a package; a version or tag, `latest` without one. */
  describe(name: string, version: string, signal: AbortSignal): Promise<ReviewedPackage>;
  /** The packages that come with Treadle's own templates. */
  templates(): Promise<ReadonlySet<string>>;
  /** The person whose run is active in a project, and the run; undefined if there is none. */
  askerOf(project: string): Promise<{ by: Author; run: string } | undefined>;
  /** Names of the packages in the project's own package.json files. */
  namedBy(project: string): Promise<string[]>;
  onNotice(text: string): void;
}

/** Packages that need a second person where a team says so. */
export interface TeamPackages {
  /** Sets what is known of projects and registry. Call once, before any project is opened. */
  connect(parts: TeamPackageParts): void;
  /**
   * Whether a project may install a package: if no team of the project says that packages need a second person, if it
   * comes with a template, or if it was approved in each such team. Otherwise it is asked for in the name of the
   * person whose run is active. False for a request without a name if anything can be refused.
   */
  mayInstall(project: string, asked: AskedPackage): Promise<boolean>;
  /** Asks for a package. @throws ApiFailure 409 `package-known` if it may be installed; as `Reviews.request` */
  ask(project: string, name: string, by: Author, words?: string): Promise<StoredReview>;
  /** Lets the project's teams install what a request is about, with all that it brings. */
  approve(review: StoredReview): Promise<void>;
}

export function createTeamPackages(
  db: Kysely<AccountTables>,
  { reviews, now }: { reviews: Reviews; now: () => number },
): TeamPackages {
  let parts: TeamPackageParts | undefined;
  const connected = () => {
    if (!parts) throw new Error("The packages of teams are not connected.");
    return parts;
  };
  /** Requests that are being made, by project and name. */
  const asking = new Set<string>();

  async function guardingTeams(project: string): Promise<string[]> {
    const rows = await db
      .selectFrom("review_rules")
      .innerJoin("project_members", "project_members.member", "review_rules.team")
      .select("review_rules.team as team")
      .where("review_rules.kind", "=", "package")
      .where("project_members.kind", "=", "team")
      .where("project_members.project", "=", project)
      .execute();
    return rows.map(({ team }) => team);
  }

  async function isKnown(teams: readonly string[], name: string): Promise<boolean> {
    const approved = await db
      .selectFrom("team_packages")
      .select("team")
      .where("team", "in", [...teams])
      .where("name", "=", name)
      .execute();
    return approved.length === teams.length || (await connected().templates()).has(name);
  }

  async function request(
    project: string,
    asked: { name: string; version?: string | undefined },
    { by, run, words }: { by: Author; run?: string; words?: string | undefined },
  ): Promise<StoredReview> {
    const { name, version = "latest" } = asked;
    const described = await connected().describe(name, version, AbortSignal.timeout(DESCRIBE_MS));
    const subject = { what: [name], package: { ...described, run } };
    return reviews.request({ project, kind: "package", by, words, subject }, true);
  }

  /** Asks for what a refused install needs, unless that is asked for already or was refused. */
  async function askFor(project: string, asked: AskedPackage & { name: string }): Promise<void> {
    const asker = await connected().askerOf(project);
    if (!asker) return;
    for (const one of await rootsOf(project, asked)) {
      const key = `${project}\n${one.name}`;
      if (asking.has(key)) continue;
      asking.add(key);
      try {
        const earlier = (await reviews.ofProject(project)).find(
          ({ kind, subject }) => kind === "package" && subject.what[0] === one.name,
        );
        // A person may ask once more for what was refused; an install that is repeated does not.
        if (earlier?.state === "requested" || earlier?.state === "refused") continue;
        await request(project, one, asker);
      } finally {
        asking.delete(key);
      }
    }
  }

  /**
   * What to ask for if a package was refused. An installer that resolves reads about the package that was asked for
   * first, and never gets to what it brings. One that follows a lock file fetches archives in any order: then what the
   * project's package.json files name is asked for.
   */
  async function rootsOf(project: string, { name, version }: AskedPackage & { name: string }) {
    if (version === undefined) return [{ name }];
    const named = await connected().namedBy(project);
    if (named.includes(name)) return [{ name, version }];
    const teams = await guardingTeams(project);
    const unknown: { name: string }[] = [];
    for (const one of named) if (!(await isKnown(teams, one))) unknown.push({ name: one });
    return unknown.length > 0 ? unknown.slice(0, ASKED_AT_ONCE) : [{ name, version }];
  }

  return {
    connect: (given) => void (parts = given),
    async mayInstall(project, { name, version }) {
      const teams = await guardingTeams(project);
      if (teams.length === 0) return true;
      if (name === undefined) return false;
      if (await isKnown(teams, name)) return true;
      askFor(project, { name, version }).catch((error: Error) =>
        connected().onNotice(`${name} could not be asked for: ${error.message}`),
      );
      return false;
    },
    async ask(project, name, by, words) {
      const teams = await guardingTeams(project);
      if (teams.length === 0 || (await isKnown(teams, name)))
        throw new ApiFailure(409, "package-known", sentence("package-known", { name }));
      return request(project, { name }, { by, words });
    },
    async approve({ id, project, subject: { package: approved } }) {
      if (!approved) return;
      const teams = await guardingTeams(project);
      const names = new Map(approved.brings.map((name) => [name, ""]));
      names.set(approved.name, approved.version ?? "");
      const rows = teams.flatMap(
        (team) =>
        [...names].map(([name, version]) => ({ team, name, version, review: id, approved_at: now() })), // prettier-ignore
      );
      for (let from = 0; from < rows.length; from += ROWS)
        await db
          .insertInto("team_packages")
          .values(rows.slice(from, from + ROWS))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    },
  };
}
