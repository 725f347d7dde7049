import { ApiFailure } from "@treadle/common";
import type { LinkRole } from "@treadle/protocol/accounts";
import { sentence } from "@treadle/protocol/sentences";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { digestOf, newId, newSecret } from "../secret.ts";

/** Maximum number of valid links of a project, and of guests without an account who join by one link. */
const LINKS = 50;
const NAMELESS_GUESTS = 200;

/** A link that gives a role in one project. Its secret is shown once. */
export interface AccessLink {
  id: string;
  role: LinkRole;
  /** Whether guests may join without an account, under a name that they choose. */
  nameless: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  expiresAt: number;
  /** How often somebody joined by the link, and the last time in milliseconds since 1970. */
  uses: number;
  usedAt?: number;
}

/** A link, and the project in which it gives a role. */
export interface OpenedLink extends AccessLink {
  project: string;
}

/** Links that give guests a role in one project until they expire. */
export interface AccessLinks {
  /**
   * Creates a link.
   * @returns the link, and the secret in its address
   * @throws ApiFailure 429 over 50 links
   */
  create(
    project: string,
    terms: { role: LinkRole; nameless: boolean; validMs: number; by: string },
  ): Promise<{ link: AccessLink; secret: string }>;
  /** Valid links, newest first. */
  list(project: string): Promise<AccessLink[]>;
  /**
   * Gives a link another secret. Everybody who joined by the old one loses the role, and guests without an account
   * are deleted.
   * @returns the new secret; undefined if the project has no such link
   */
  rotate(project: string, id: string): Promise<string | undefined>;
  /** Ends a link, and the role of everybody who joined by it. @returns whether there was one */
  revoke(project: string, id: string): Promise<boolean>;
  /** What a link would give, without using it; undefined if it is not valid. */
  peek(secret: string): Promise<OpenedLink | undefined>;
  /** Gives a person with an account the link's role. Undefined if the link is not valid. */
  join(secret: string, person: string): Promise<OpenedLink | undefined>;
  /**
   * Adds a guest without an account. Undefined if the link is not valid, or is not for such guests.
   * @throws ApiFailure 429 over 200 such guests
   */
  joinNameless(
    secret: string,
    name: string,
  ): Promise<(OpenedLink & { person: string }) | undefined>;
  /** The roles that valid links give a person in a project. */
  rolesIn(person: string, project: string): Promise<LinkRole[]>;
  /** Projects in which valid links give a person a role. */
  projectsOf(person: string): Promise<string[]>;
  /** When the first link of any project expires after a time, both in milliseconds since 1970; undefined if none does. */
  nextExpiry(after: number): Promise<number | undefined>;
}

export function createAccessLinks(db: Kysely<AccountTables>, now: () => number): AccessLinks {
  const toLink = (row: AccountTables["access_links"]): OpenedLink => ({
    id: row.id,
    project: row.project,
    role: row.role,
    nameless: Number(row.nameless) === 1,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    uses: Number(row.uses),
    ...(row.used_at === null ? {} : { usedAt: Number(row.used_at) }),
  });
  const validOf = (person: string) =>
    db
      .selectFrom("link_guests")
      .innerJoin("access_links", "access_links.id", "link_guests.link")
      .where("link_guests.person", "=", person)
      .where("access_links.expires_at", ">", now());
  async function peek(secret: string): Promise<OpenedLink | undefined> {
    const row = await db
      .selectFrom("access_links")
      .selectAll()
      .where("secret", "=", digestOf(secret))
      .where("expires_at", ">", now())
      .executeTakeFirst();
    return row && toLink(row);
  }
  /** Deletes expired links, and with them their guests without an account. */
  const sweep = () => db.deleteFrom("access_links").where("expires_at", "<=", now()).execute();
  const named = (project: string, id: string) =>
    db.deleteFrom("access_links").where("project", "=", project).where("id", "=", id);

  async function admit(link: OpenedLink, person: string): Promise<void> {
    await db
      .insertInto("link_guests")
      .values({ link: link.id, person })
      .onConflict((conflict) => conflict.columns(["link", "person"]).doNothing())
      .execute();
    await db
      .updateTable("access_links")
      .set((row) => ({ uses: row("uses", "+", 1), used_at: now() }))
      .where("id", "=", link.id)
      .execute();
  }

  async function list(project: string): Promise<AccessLink[]> {
    const rows = await db
      .selectFrom("access_links")
      .selectAll()
      .where("project", "=", project)
      .where("expires_at", ">", now())
      .orderBy("created_at", "desc")
      .execute();
    return rows.map((row) => {
      const { project: _, ...link } = toLink(row);
      return link;
    });
  }

  return {
    async create(project, { role, nameless, validMs, by }) {
      await sweep();
      if ((await list(project)).length >= LINKS)
        throw new ApiFailure(
          429,
          "too-many",
          sentence("limit-reached", { what: "links", limit: LINKS }),
        );
      const secret = newSecret();
      const row = {
        id: newId(),
        project,
        role,
        secret: digestOf(secret),
        nameless: nameless ? 1 : 0,
        created_by: by,
        created_at: now(),
        expires_at: now() + validMs,
        uses: 0,
        used_at: null,
      };
      await db.insertInto("access_links").values(row).execute();
      const { project: _, ...link } = toLink(row);
      return { link, secret };
    },
    list,
    async rotate(project, id) {
      const secret = newSecret();
      return db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("access_links")
          .set({ secret: digestOf(secret) })
          .where("project", "=", project)
          .where("id", "=", id)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return undefined;
        await transaction.deleteFrom("link_guests").where("link", "=", id).execute();
        await transaction.deleteFrom("people").where("guest_of", "=", id).execute();
        return secret;
      });
    },
    async revoke(project, id) {
      return (await named(project, id).executeTakeFirst()).numDeletedRows > 0n;
    },
    peek,
    async join(secret, person) {
      const link = await peek(secret);
      if (link) await admit(link, person);
      return link;
    },
    async joinNameless(secret, name) {
      const link = await peek(secret);
      if (!link?.nameless) return undefined;
      const { guests } = await db
        .selectFrom("people")
        .select(({ fn }) => fn.countAll().as("guests"))
        .where("guest_of", "=", link.id)
        .executeTakeFirstOrThrow();
      if (Number(guests) >= NAMELESS_GUESTS)
        throw new ApiFailure(
          429,
          "too-many",
          sentence("limit-reached", { what: "guests", limit: NAMELESS_GUESTS }),
        );
      const person = newId();
      await db
        .insertInto("people")
        .values({
          id: person,
          name,
          email: null,
          role: "guest",
          created_at: now(),
          suspended: null,
          guest_of: link.id,
        })
        .execute();
      await admit(link, person);
      return { ...link, person };
    },
    async rolesIn(person, project) {
      const rows = await validOf(person)
        .where("access_links.project", "=", project)
        .select("access_links.role as role")
        .execute();
      return rows.map(({ role }) => role);
    },
    async projectsOf(person) {
      const rows = await validOf(person).select("access_links.project as project").execute();
      return rows.map(({ project }) => project);
    },
    async nextExpiry(after) {
      const row = await db
        .selectFrom("access_links")
        .select(({ fn }) => fn.min("expires_at").as("at"))
        .where("expires_at", ">", after)
        .executeTakeFirst();
      return row?.at == null ? undefined : Number(row.at);
    },
  };
}
