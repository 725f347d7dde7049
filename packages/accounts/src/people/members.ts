import { LINK_ROLES, PROJECT_ROLES, type ProjectRole } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import type { AccessLinks } from "./access-links.ts";
import type { ProjectRoles } from "../access/authority.ts";
import { newId } from "../secret.ts";

export interface ProjectMember {
  kind: "person" | "team";
  id: string;
  role: ProjectRole;
}

export interface Team {
  id: string;
  name: string;
  members: { person: string; role: ProjectRole }[];
}

/** The roles of people and teams in projects. */
export interface Members extends ProjectRoles {
  list(project: string): Promise<ProjectMember[]>;
  /** Gives a person or team a role in a project, or another one. */
  set(project: string, member: ProjectMember): Promise<void>;
  remove(project: string, member: Pick<ProjectMember, "kind" | "id">): Promise<void>;
  /** The oldest of the person's teams that has a role in the project; undefined if there is none. */
  teamIn(person: string, project: string): Promise<string | undefined>;
  /** Oldest first. */
  teams(): Promise<Team[]>;
  addTeam(name: string): Promise<{ id: string }>;
  /**
   * Removes a team, its roles in projects and its review rules. The projects keep their other members.
   * @returns whether there was one
   */
  removeTeam(team: string): Promise<boolean>;
  setTeamMember(team: string, person: string, role: ProjectRole): Promise<void>;
  removeTeamMember(team: string, person: string): Promise<void>;
  /**
   * Makes the teams that groups gave a person exactly these. Memberships that people gave stay.
   * @returns those of the teams that exist
   */
  setTeamsOfGroups(
    person: string,
    teams: readonly { id: string; role: ProjectRole }[],
  ): Promise<{ id: string; role: ProjectRole }[]>;
}

/** The highest of several roles. */
const highest = (roles: readonly ProjectRole[]): ProjectRole | undefined =>
  PROJECT_ROLES.find((role) => roles.includes(role));
/** The lower of two roles: a team's member has no more in a project than the team has. */
const lower = (one: ProjectRole, other: ProjectRole): ProjectRole =>
  PROJECT_ROLES.indexOf(one) > PROJECT_ROLES.indexOf(other) ? one : other;

/** Creates the members of projects and teams. @param links the roles that access links give */
export function createMembers(
  db: Kysely<AccountTables>,
  now: () => number,
  links: Pick<AccessLinks, "rolesIn" | "projectsOf">,
): Members {
  const direct = (person: string) =>
    db
      .selectFrom("project_members")
      .selectAll()
      .where("kind", "=", "person")
      .where("member", "=", person);
  const byTeam = (person: string) =>
    db
      .selectFrom("project_members")
      .innerJoin("team_members", "team_members.team", "project_members.member")
      .select([
        "project_members.project as project",
        "project_members.role as role",
        "team_members.role as inTeam",
      ])
      .where("project_members.kind", "=", "team")
      .where("team_members.person", "=", person);
  return {
    async roleIn(person, project) {
      const own = await direct(person).where("project", "=", project).execute();
      const teams = await byTeam(person).where("project_members.project", "=", project).execute();
      return highest([
        ...own.map(({ role }) => role),
        ...teams.map(({ role, inTeam }) => lower(role, inTeam)),
      ]);
    },
    async linkRoleIn(person, project) {
      const roles = await links.rolesIn(person, project);
      return LINK_ROLES.find((role) => roles.includes(role));
    },
    async projectsOf(person) {
      const [own, teams] = [await direct(person).execute(), await byTeam(person).execute()];
      const byLinks = await links.projectsOf(person);
      return new Set([...[...own, ...teams].map(({ project }) => project), ...byLinks]);
    },
    async teamIn(person, project) {
      const row = await byTeam(person)
        .innerJoin("teams", "teams.id", "project_members.member")
        .select("teams.id as team")
        .where("project_members.project", "=", project)
        .orderBy("teams.created_at")
        .limit(1)
        .executeTakeFirst();
      return row?.team;
    },
    async list(project) {
      const query = db.selectFrom("project_members").selectAll().where("project", "=", project);
      return (await query.execute()).map(({ kind, member, role }) => ({ kind, id: member, role }));
    },
    async set(project, { kind, id, role }) {
      await db
        .insertInto("project_members")
        .values({ project, kind, member: id, role })
        .onConflict((conflict) =>
          conflict.columns(["project", "kind", "member"]).doUpdateSet({ role }),
        )
        .execute();
    },
    async remove(project, { kind, id }) {
      await db
        .deleteFrom("project_members")
        .where("project", "=", project)
        .where("kind", "=", kind)
        .where("member", "=", id)
        .execute();
    },
    async teams() {
      const teams = await db.selectFrom("teams").selectAll().orderBy("created_at").execute();
      const members = await db.selectFrom("team_members").selectAll().execute();
      return teams.map(({ id, name }) => ({
        id,
        name,
        members: members
          .filter(({ team }) => team === id)
          .map(({ person, role }) => ({ person, role })),
      }));
    },
    async addTeam(name) {
      const id = newId();
      await db.insertInto("teams").values({ id, name, created_at: now() }).execute();
      return { id };
    },
    async removeTeam(team) {
      await db
        .deleteFrom("project_members")
        .where("kind", "=", "team")
        .where("member", "=", team)
        .execute();
      await db.deleteFrom("review_rules").where("team", "=", team).execute();
      const query = db.deleteFrom("teams").where("id", "=", team);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },
    async setTeamMember(team, person, role) {
      await db
        .insertInto("team_members")
        .values({ team, person, role, granted_by: "person" })
        .onConflict((conflict) =>
          conflict.columns(["team", "person"]).doUpdateSet({ role, granted_by: "person" }),
        )
        .execute();
    },
    async removeTeamMember(team, person) {
      await db
        .deleteFrom("team_members")
        .where("team", "=", team)
        .where("person", "=", person)
        .execute();
    },
    async setTeamsOfGroups(person, teams) {
      return db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("team_members")
          .where("person", "=", person)
          .where("granted_by", "=", "groups")
          .execute();
        const existing = await transaction.selectFrom("teams").select("id").execute();
        const granted = teams.filter(({ id }) => existing.some((team) => team.id === id));
        for (const { id, role } of granted)
          await transaction
            .insertInto("team_members")
            .values({ team: id, person, role, granted_by: "groups" })
            .onConflict((conflict) => conflict.columns(["team", "person"]).doNothing())
            .execute();
        return granted;
      });
    },
  };
}
