import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { SecretStore } from "../types.ts";
import type { Sealer } from "./seal.ts";

/** Secrets of projects, sealed with the data folder's own key. */
export function createSecretStore(db: Kysely<Schema>, sealer: () => Sealer): SecretStore {
  const rows = (project: string) =>
    db
      .selectFrom("secrets")
      .select(["name", "host", "sealed"])
      .where("project", "=", project)
      .orderBy("name")
      .execute();
  return {
    async list(project) {
      return (await rows(project)).map(({ name, host }) => ({ name, host }));
    },
    async reveal(project) {
      return (await rows(project)).flatMap(({ name, host, sealed }) => {
        const value = sealer().open(sealed, boundTo(project, name, host));
        return value === undefined ? [] : [{ name, host, value }];
      });
    },
    async put(project, { name, host, value }) {
      const sealed = sealer().seal(value, boundTo(project, name, host));
      await db
        .insertInto("secrets")
        .values({ project, name, host, sealed })
        .onConflict((conflict) =>
          conflict.columns(["project", "name"]).doUpdateSet({ host, sealed }),
        )
        .execute();
    },
    async remove(project, name) {
      await db
        .deleteFrom("secrets")
        .where("project", "=", project)
        .where("name", "=", name)
        .execute();
    },
  };
}

// A sealed value opens only where it was sealed for.
const boundTo = (project: string, name: string, host: string) => `${project}\0${name}\0${host}`;
