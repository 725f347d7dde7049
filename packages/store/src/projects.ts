import type { Engine } from "./engine.ts";
import type { ProjectRecord, ProjectStore } from "./types.ts";

/** Called for the log when a project is created or removed. */
interface Neighbours {
  created(project: string): void;
  removed(project: string): void;
}

/** Projects as complete JSON records, with separate columns for lookups. */
export function createProjectStore(
  { db, write, lock, fences }: Engine,
  neighbours: Neighbours,
): ProjectStore {
  const parse = (row: { record: string } | undefined) =>
    row && (JSON.parse(row.record) as ProjectRecord);
  const toRecord = (project: ProjectRecord | undefined) =>
    project?.deletedAt === undefined ? project : undefined;
  const listed = async () => {
    const query = db.selectFrom("projects").select("record").orderBy("updated_at", "desc");
    const rows = await query.orderBy("id").execute();
    return rows.map((row) => JSON.parse(row.record) as ProjectRecord);
  };
  return {
    async get(id) {
      const query = db.selectFrom("projects").select("record").where("id", "=", id);
      return toRecord(parse(await query.executeTakeFirst()));
    },
    async create(project) {
      await db
        .insertInto("projects")
        .values({ id: project.id, compacted: 0, ...columns(project) })
        .execute();
      neighbours.created(project.id);
    },
    async byCapability(capability) {
      const query = db.selectFrom("projects").select("record");
      return toRecord(parse(await query.where("capability", "=", capability).executeTakeFirst()));
    },
    async byDirectory(directory) {
      const query = db.selectFrom("projects").select("record").orderBy("updated_at", "desc");
      const rows = await query.where("directory", "=", directory).execute();
      return rows.map(parse).find((project) => toRecord(project));
    },
    list: async () => (await listed()).filter(toRecord),
    deleted: async () => (await listed()).filter((project) => !toRecord(project)),
    async update(id, change) {
      // Read and written in one transaction, so that concurrent changes of different fields are
      // both kept.
      await write(async (transaction) => {
        await fences.check(transaction, id);
        await lock(transaction, `project ${id}`);
        const query = transaction.selectFrom("projects").select("record").where("id", "=", id);
        const project = parse(await query.executeTakeFirst());
        if (!project) return;
        const changed = { ...project, ...change, id };
        await transaction
          .updateTable("projects")
          .set(columns(changed))
          .where("id", "=", id)
          .execute();
      });
    },
    async remove(id) {
      // The log forgets the project first, so that nothing is appended to it while it is being removed.
      neighbours.removed(id);
      await fences.guard([id], (to) => to.deleteFrom("projects").where("id", "=", id).execute());
      if (fences.isOn()) await db.deleteFrom("leases").where("name", "=", id).execute();
      fences.forget(id);
    },
  };
}

function columns(project: ProjectRecord) {
  return {
    capability: project.capability,
    directory: project.directory ?? null,
    updated_at: project.updatedAt,
    record: JSON.stringify(project),
  };
}
