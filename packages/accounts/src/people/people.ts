import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { ServerRole, Suspension } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { newId } from "../secret.ts";

export interface Person {
  id: string;
  name: string;
  email?: string;
  role: ServerRole;
  createdAt: number;
  /** Who suspended the person; absent for people who may sign in. */
  suspended?: Suspension;
  /** Set for a guest without an account, who joined by an access link. */
  nameless?: true;
}

/** The people of this server. */
export interface People {
  /** Adds a person. @throws ApiFailure 409 `email-taken` */
  add(person: { name: string; email?: string | undefined; role: ServerRole }): Promise<Person>;
  get(id: string): Promise<Person | undefined>;
  byEmail(email: string): Promise<Person | undefined>;
  /** Oldest first. */
  list(): Promise<Person[]>;
  /**
   * Changes a person.
   * @throws ApiFailure 409 `email-taken`, or `last-owner` if the server's only owner would get another role
   */
  update(id: string, change: Partial<Pick<Person, "name" | "email" | "role">>): Promise<void>;
  /**
   * Suspends a person: sessions end, and API tokens stop working. An administrator's suspension also deletes the
   * tokens.
   * @throws ApiFailure 409 `last-owner`
   */
  suspend(id: string, by: Suspension): Promise<void>;
  /** Lets a suspended person sign in again. */
  restore(id: string): Promise<void>;
  /**
   * Removes a person with all sign-ins. The projects that they own go to `heir`.
   * @throws ApiFailure 409 `last-owner`
   */
  remove(id: string, heir: string): Promise<void>;
}

/** Addresses are compared without case, as people type them. */
const normal = (email: string) => email.trim().normalize("NFC").toLowerCase();

export function createPeople(db: Kysely<AccountTables>, now: () => number): People {
  const toPerson = (row: AccountTables["people"]): Person => ({
    id: row.id,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    role: row.role,
    createdAt: row.created_at,
    ...(row.suspended === null ? {} : { suspended: row.suspended }),
    ...(row.guest_of === null ? {} : { nameless: true as const }),
  });
  const get = async (id: string) => {
    const row = await db.selectFrom("people").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toPerson(row);
  };
  const byEmail = async (email: string) => {
    const query = db.selectFrom("people").selectAll().where("email", "=", normal(email));
    const row = await query.executeTakeFirst();
    return row && toPerson(row);
  };

  async function checkFree(email: string, id?: string): Promise<void> {
    const found = await byEmail(email);
    if (found && found.id !== id)
      throw new ApiFailure(409, "email-taken", sentence("email-taken", { email }));
  }

  /**
   * A server without an owner could only be set up anew.
   * @throws ApiFailure 409 `last-owner` if nobody else owns it
   */
  async function checkOwnerLeft(id: string): Promise<void> {
    const owners = await db
      .selectFrom("people")
      .select("id")
      .where("role", "=", "owner")
      .where("suspended", "is", null)
      .where("id", "!=", id)
      .execute();
    if (owners.length === 0) throw new ApiFailure(409, "last-owner", sentence("last-owner"));
  }

  return {
    get,
    byEmail,
    async add({ name, email, role }) {
      if (email !== undefined) await checkFree(email);
      const row = {
        id: newId(),
        name,
        email: email === undefined ? null : normal(email),
        role,
        created_at: now(),
        suspended: null,
        guest_of: null,
      };
      await db.insertInto("people").values(row).execute();
      return toPerson(row);
    },
    async list() {
      const rows = await db.selectFrom("people").selectAll().orderBy("created_at").execute();
      return rows.map(toPerson);
    },
    async update(id, { name, email, role }) {
      if (email !== undefined) await checkFree(email, id);
      if (role !== undefined && role !== "owner") await checkOwnerLeft(id);
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(email === undefined ? {} : { email: normal(email) }),
        ...(role === undefined ? {} : { role }),
      };
      if (Object.keys(change).length > 0)
        await db.updateTable("people").set(change).where("id", "=", id).execute();
    },
    async suspend(id, by) {
      await checkOwnerLeft(id);
      await db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("people")
          .set({ suspended: by })
          .where("id", "=", id)
          .execute();
        await transaction.deleteFrom("sessions").where("person", "=", id).execute();
        if (by === "administrator")
          await transaction.deleteFrom("api_tokens").where("person", "=", id).execute();
      });
    },
    async restore(id) {
      await db.updateTable("people").set({ suspended: null }).where("id", "=", id).execute();
    },
    async remove(id, heir) {
      await checkOwnerLeft(id);
      await db.transaction().execute(async (transaction) => {
        const theirs = await transaction
          .selectFrom("project_members")
          .selectAll()
          .where("kind", "=", "person")
          .where("member", "=", id)
          .execute();
        await transaction
          .deleteFrom("project_members")
          .where("kind", "=", "person")
          .where("member", "=", id)
          .execute();
        for (const row of theirs)
          if (row.role === "owner")
            await transaction
              .insertInto("project_members")
              .values({ ...row, member: heir })
              .onConflict((conflict) =>
                conflict.columns(["project", "kind", "member"]).doUpdateSet({ role: "owner" }),
              )
              .execute();
        await transaction.deleteFrom("people").where("id", "=", id).execute();
      });
    },
  };
}
