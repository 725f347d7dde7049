import type { Engine } from "../engine.ts";
import type { SecretRecord, SecretStore } from "../types.ts";
import type { Sealer } from "./seal.ts";

/** Secrets of projects, encrypted with the data folder's key. */
export function createSecretStore(
  { db, write, fences }: Engine,
  sealer: () => Sealer,
): SecretStore {
  const rows = async (project: string) => {
    const query = db.selectFrom("secrets").select(["name", "environment", "host", "sealed"]);
    const all = await query.where("project", "=", project).execute();
    // Sorted here: each database has an order of letters of its own.
    return all.toSorted((a, b) => order(a.name, b.name) || order(a.environment, b.environment));
  };
  const remove: SecretStore["remove"] = async (project, name, environment) => {
    await write(async (within) => {
      await fences.check(within, project);
      let query = within.deleteFrom("secrets").where("project", "=", project).where("name", "=", name); // prettier-ignore
      if (environment !== undefined) query = query.where("environment", "=", environment);
      await query.execute();
    });
  };
  return {
    async list(project) {
      return (await rows(project)).map(({ name, host, environment }) => ({
        name,
        host,
        environment,
      }));
    },
    async reveal(project, requested) {
      const own = new Map<string, { name: string; host: string; value: string }>();
      const all = await rows(project);
      for (const environment of ["both", requested] as const)
        for (const row of all) {
          if (row.environment !== environment) continue;
          const value = sealer().open(row.sealed, boundTo(project, row));
          // An unreadable secret of this environment is not replaced by another one.
          if (value === undefined) own.delete(row.name);
          else own.set(row.name, { name: row.name, host: row.host, value });
        }
      return [...own.values()].toSorted((a, b) => order(a.name, b.name));
    },
    async put(project, { value, ...secret }) {
      const { name, host, environment } = secret;
      const sealed = sealer().seal(value, boundTo(project, secret));
      await write(async (within) => {
        await fences.check(within, project);
        let old = within
          .deleteFrom("secrets")
          .where("project", "=", project)
          .where("name", "=", name);
        if (environment !== "both") old = old.where("environment", "=", environment);
        await old.execute();
        await within
          .insertInto("secrets")
          .values({ project, name, environment, host, sealed })
          .execute();
      });
    },
    remove,
  };
}

const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/**
 * The place in which a value can be opened: this project, name, host and environment. `both` adds
 * nothing, so that values sealed before there were environments still open.
 */
const boundTo = (project: string, { name, host, environment }: SecretRecord) =>
  [project, name, host, ...(environment === "both" ? [] : [environment])].join("\0");
