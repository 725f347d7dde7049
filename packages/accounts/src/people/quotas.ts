import { availableParallelism } from "node:os";
import { ApiFailure } from "@treadle/common";
import type { Quotas } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import type { AccountTables, Store } from "@treadle/store";
import type { Kysely } from "kysely";

const KEY = "quotas";

const GIB = 1024 ** 3;

/**
 * Default number of runs at a time. It exceeds the number of processors, since a run mostly waits for the model.
 */
const DEFAULT_RUNS = Math.max(4, 2 * availableParallelism());

/** A person or team whose projects count towards its quotas: those that the person owns, or that the team is in. */
export interface Holder {
  kind: "person" | "team";
  id: string;
}

const LIMITS = {
  projects: { person: "projectsPerPerson", team: "projectsPerTeam" },
  published: { person: "publishedPerPerson", team: "publishedPerTeam" },
  awake: { person: "awakePerPerson", team: "awakePerTeam" },
  disk: { person: "diskGibPerPerson", team: "diskGibPerTeam" },
} as const satisfies Record<string, Record<Holder["kind"], keyof Quotas>>;

/** What a project may take of the disk, by the quotas of its holders. */
export interface DiskAllowance {
  /** The most that the project itself may take, in bytes. */
  bytes: number;
  /** Why nothing may be written once it takes more. */
  why: Sentence;
}

export interface QuotaSettings {
  /** As set by an administrator, with the default of what is not set. */
  read(): Promise<Quotas>;
  set(quotas: Quotas): Promise<void>;
  /** A holder's limit; Infinity if there is none. For the disk in GiB. */
  limitOf(holder: Holder, what: keyof typeof LIMITS): Promise<number>;
  /** The projects of a person or team that count towards its quotas. */
  projectsOf(holder: Holder): Promise<string[]>;
  /** The people who own a project, and its teams. */
  holdersOf(project: string): Promise<Holder[]>;
  /** What the projects of a person or team take of the disk, in bytes. */
  diskOf(holder: Holder): Promise<number>;
  /** What a project may take of the disk; undefined if no quota limits it. */
  allowanceOf(project: string): Promise<DiskAllowance | undefined>;
  /**
   * Checks whether a person or team may have another project.
   * @throws ApiFailure 403 `quota-reached` if there are as many projects as allowed, or the disk is used up
   */
  checkProjects(holder: Holder): Promise<void>;
  /**
   * Checks whether a project may be published; one that is published already may.
   * @param isPublished tells whether a project is published
   * @throws ApiFailure 403 `quota-reached` if one of the project's holders has as many published projects as allowed
   */
  checkPublished(project: string, isPublished: (project: string) => boolean): Promise<void>;
}

export function createQuotas(
  db: Kysely<AccountTables>,
  { settings }: Pick<Store, "settings">,
  diskOfProject: (project: string) => Promise<number>,
): QuotaSettings {
  const read = async (): Promise<Quotas> => ({
    runs: DEFAULT_RUNS,
    ...(await settings.get<Quotas>(KEY)),
  });
  const limitOf: QuotaSettings["limitOf"] = async ({ kind }, what) =>
    (await read())[LIMITS[what][kind]] ?? Infinity;
  async function projectsOf({ kind, id }: Holder): Promise<string[]> {
    let rows = db
      .selectFrom("project_members")
      .select("project")
      .where("kind", "=", kind)
      .where("member", "=", id);
    if (kind === "person") rows = rows.where("role", "=", "owner");
    return (await rows.execute()).map(({ project }) => project);
  }
  async function holdersOf(project: string): Promise<Holder[]> {
    const rows = await db
      .selectFrom("project_members")
      .select(["kind", "member"])
      .where("project", "=", project)
      .where(({ eb, or }) => or([eb("kind", "=", "team"), eb("role", "=", "owner")]))
      .execute();
    return rows.map(({ kind, member }) => ({ kind, id: member }));
  }
  const sizeOf = async (projects: readonly string[]) =>
    (await Promise.all(projects.map(diskOfProject))).reduce((sum, bytes) => sum + bytes, 0);
  const diskOf = async (holder: Holder) => sizeOf(await projectsOf(holder));

  async function checkDisk(holder: Holder): Promise<void> {
    const limit = await limitOf(holder, "disk");
    if (limit === Infinity) return;
    const used = await diskOf(holder);
    if (used >= limit * GIB) throw reached(diskReached(holder, used, limit));
  }
  return {
    read,
    limitOf,
    projectsOf,
    holdersOf,
    diskOf,
    set: (quotas) => settings.set(KEY, quotas),
    async allowanceOf(project) {
      const allowances: DiskAllowance[] = [];
      for (const holder of await holdersOf(project)) {
        const limit = await limitOf(holder, "disk");
        if (limit === Infinity) continue;
        const others = (await projectsOf(holder)).filter((id) => id !== project);
        const bytes = Math.max(0, limit * GIB - (await sizeOf(others)));
        allowances.push({ bytes, why: diskReached(holder, limit * GIB, limit) });
      }
      return allowances.toSorted((a, b) => a.bytes - b.bytes)[0];
    },
    async checkProjects(holder) {
      await checkDisk(holder);
      const limit = await limitOf(holder, "projects");
      if (limit === Infinity) return;
      const used = (await projectsOf(holder)).length;
      if (used < limit) return;
      const code = holder.kind === "team" ? "quota-team-projects" : "quota-projects";
      throw reached(sentence(code, { used, limit }));
    },
    async checkPublished(project, isPublished) {
      if (isPublished(project)) return;
      for (const holder of await holdersOf(project)) {
        const limit = await limitOf(holder, "published");
        if (limit === Infinity) continue;
        const used = (await projectsOf(holder)).filter(isPublished).length;
        const code = holder.kind === "team" ? "quota-team-published" : "quota-published";
        if (used >= limit) throw reached(sentence(code, { used, limit }));
      }
    },
  };
}

const reached = (why: Sentence) => new ApiFailure(403, "quota-reached", why);

const diskReached = ({ kind }: Holder, used: number, limit: number) =>
  sentence(kind === "team" ? "quota-team-disk" : "quota-disk", {
    used: `${(used / GIB).toFixed(1)} GiB`,
    limit: `${limit} GiB`,
  });
