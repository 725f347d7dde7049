import { availableParallelism } from "node:os";
import { ApiFailure } from "@treadle/common";
import type { Quotas } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { AccountTables, Store } from "@treadle/store";
import type { Kysely } from "kysely";

const KEY = "quotas";

const GIB = 1024 ** 3;

/**
 * Default number of runs at a time. It exceeds the number of processors, since a run mostly waits for the model.
 */
const DEFAULT_RUNS = Math.max(4, 2 * availableParallelism());

export interface QuotaSettings {
  /** As set by an administrator, with the default of what is not set. */
  read(): Promise<Quotas>;
  set(quotas: Quotas): Promise<void>;
  /** The projects that a person owns. */
  owned(person: string): Promise<string[]>;
  /** The people who own a project. */
  ownersOf(project: string): Promise<string[]>;
  /** What the projects that a person owns take of the disk, in bytes. */
  diskOf(person: string): Promise<number>;
  /**
   * Checks whether a person may have another project.
   * @throws ApiFailure 403 `quota-reached` if the person owns as many projects as they may, or uses as much disk
   */
  checkProjects(person: string): Promise<void>;
  /**
   * Checks whether a project may be published; one that is published already may.
   * @param isPublished tells whether a project is published
   * @throws ApiFailure 403 `quota-reached` if one of the project's owners has as many published projects as allowed
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
  const owned = async (person: string) =>
    (
      await db
        .selectFrom("project_members")
        .select("project")
        .where("kind", "=", "person")
        .where("member", "=", person)
        .where("role", "=", "owner")
        .execute()
    ).map(({ project }) => project);
  const ownersOf = async (project: string) =>
    (
      await db
        .selectFrom("project_members")
        .select("member")
        .where("project", "=", project)
        .where("kind", "=", "person")
        .where("role", "=", "owner")
        .execute()
    ).map(({ member }) => member);
  const diskOf = async (person: string) => {
    const sizes = await Promise.all((await owned(person)).map(diskOfProject));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  async function checkDisk(person: string, limit: number): Promise<void> {
    const used = await diskOf(person);
    if (used < limit * GIB) return;
    const texts = { used: `${(used / GIB).toFixed(1)} GiB`, limit: `${limit} GiB` };
    throw new ApiFailure(403, "quota-reached", sentence("quota-disk", texts));
  }
  return {
    read,
    owned,
    ownersOf,
    diskOf,
    set: (quotas) => settings.set(KEY, quotas),
    async checkProjects(person) {
      const { projectsPerPerson: limit = Infinity, diskGibPerPerson } = await read();
      if (diskGibPerPerson !== undefined) await checkDisk(person, diskGibPerPerson);
      if (limit === Infinity) return;
      const used = (await owned(person)).length;
      if (used >= limit)
        throw new ApiFailure(403, "quota-reached", sentence("quota-projects", { used, limit }));
    },
    async checkPublished(project, isPublished) {
      const { publishedPerPerson: limit = Infinity } = await read();
      if (limit === Infinity || isPublished(project)) return;
      for (const member of await ownersOf(project)) {
        const used = (await owned(member)).filter(isPublished).length;
        if (used >= limit)
          throw new ApiFailure(403, "quota-reached", sentence("quota-published", { used, limit }));
      }
    },
  };
}
