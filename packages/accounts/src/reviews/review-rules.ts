import { ApiFailure } from "@treadle/common";
import type { ReviewKind, ReviewRule } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { createAuthority } from "../access/authority.ts";
import type { Action } from "../access/actions.ts";
import { ownsEverything } from "../access/authorize.ts";
import type { Members } from "../people/members.ts";
import type { People, Person } from "../people/people.ts";

/** Rules about what needs a second person in the projects of teams, and who may be that person. */
export interface ReviewRules {
  list(): Promise<ReviewRule[]>;
  /**
   * Sets what needs a second person in a team's projects.
   * @throws ApiFailure 409 `no-second-person` if fewer than two people could answer in one of the projects
   */
  set(rule: ReviewRule): Promise<void>;
  /** Kinds that need a second person in the project, by the rules of its teams. */
  kindsIn(project: string): Promise<ReviewKind[]>;
  /** Whether the person, as they are now, may do an action in the project. */
  may(person: string, action: Action, project: string): Promise<boolean>;
  /** Everybody who may answer requests of the project, except one. */
  answerers(project: string, except?: string): Promise<Person[]>;
}

export function createReviewRules(
  db: Kysely<AccountTables>,
  { people, members }: { people: People; members: Members },
): ReviewRules {
  const authority = createAuthority(members);
  const mayDo = async (person: Person, action: Action, project: string) =>
    person.suspended === undefined &&
    (await authority.decide({ person: person.id, role: person.role, via: "session" }, action, {
      project,
    })) === "allowed";

  async function answerers(project: string, except?: string): Promise<Person[]> {
    const found: Person[] = [];
    for (const person of await people.list())
      if (person.id !== except && (await mayDo(person, "project.review", project)))
        found.push(person);
    return found;
  }

  /** The people who could answer in a project that the team owned, for a team without projects. */
  async function answerersOfTeam(team: string): Promise<Person[]> {
    const owners = (await members.teams())
      .find(({ id }) => id === team)
      ?.members.filter(({ role }) => role === "owner")
      .map(({ person }) => person);
    return (await people.list()).filter(
      ({ id, role, suspended }) =>
        suspended === undefined && (ownsEverything(role) || owners?.includes(id) === true),
    );
  }

  /**
   * Checks that each project of a team has at least two people who may answer.
   * @throws ApiFailure 409 `no-second-person`
   */
  async function checkSecondPerson(team: string): Promise<void> {
    const rows = await db
      .selectFrom("project_members")
      .select("project")
      .where("kind", "=", "team")
      .where("member", "=", team)
      .execute();
    const all =
      rows.length === 0
        ? [await answerersOfTeam(team)]
        : await Promise.all(rows.map(({ project }) => answerers(project)));
    const few = all.find((some) => some.length < 2);
    if (few)
      throw new ApiFailure(
        409,
        "no-second-person",
        few[0] ? sentence("no-second-person", { name: few[0].name }) : sentence("nobody-to-answer"),
      );
  }

  return {
    answerers,
    async list() {
      const rules = new Map<string, ReviewKind[]>();
      for (const { team, kind } of await db.selectFrom("review_rules").selectAll().execute())
        rules.set(team, [...(rules.get(team) ?? []), kind]);
      return [...rules].map(([team, kinds]) => ({ team, kinds }));
    },
    async set({ team, kinds }) {
      if (kinds.length > 0) await checkSecondPerson(team);
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom("review_rules").where("team", "=", team).execute();
        for (const kind of new Set(kinds))
          await transaction.insertInto("review_rules").values({ team, kind }).execute();
      });
    },
    async kindsIn(project) {
      const rows = await db
        .selectFrom("review_rules")
        .innerJoin("project_members", "project_members.member", "review_rules.team")
        .select("review_rules.kind as kind")
        .distinct()
        .where("project_members.kind", "=", "team")
        .where("project_members.project", "=", project)
        .execute();
      return rows.map(({ kind }) => kind);
    },
    async may(person, action, project) {
      const found = await people.get(person);
      return found !== undefined && mayDo(found, action, project);
    },
  };
}
