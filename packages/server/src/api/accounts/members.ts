import { ACTIONS, authorize, ownsEverything, type Action } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import { answers, answersOk, body, created, createRoute, ProjectParams } from "../describe.ts";
import type { Context } from "hono";
import type { Services } from "../services.ts";
import { Name, ProjectAccess, ProjectMember, ProjectRole, Team } from "./account-schemas.ts";
import { accountsOf } from "./me.ts";

const Kind = z.enum(["person", "team"]);
const ok = { ok: true } as const;

const PROJECT_ACTIONS = (Object.keys(ACTIONS) as Action[]).filter(
  (action) => ACTIONS[action].on === "project",
);

/** Routes for the roles of people and teams in projects, and for teams. */
export function memberRoutes(app: OpenAPIHono, services: Services): void {
  /** Checks that a project has another owner. @throws ApiFailure 409 `last-owner` */
  async function checkOwnerLeft(project: string, kind: string, id: string): Promise<void> {
    const owners = (await accountsOf(services).members.list(project)).filter(
      (one) => one.role === "owner" && !(one.kind === kind && one.id === id),
    );
    if (owners.length === 0) throw new ApiFailure(409, "last-owner", sentence("last-owner"));
  }
  async function checkExists(kind: "person" | "team", id: string): Promise<void> {
    const { people, members } = accountsOf(services);
    const found =
      kind === "person"
        ? await people.get(id)
        : (await members.teams()).find((team) => team.id === id);
    if (!found) throw notFound("person");
  }

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/members",
      action: "project.view",
      summary: "Lists who has which role in the project.",
      request: { params: ProjectParams },
      responses: answers(z.object({ members: z.array(ProjectMember) }), "People and teams."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ members: await accountsOf(services).members.list(id) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/access",
      action: "project.view",
      summary: "Lists what whoever asks may do in the project.",
      request: { params: ProjectParams },
      responses: answers(ProjectAccess, "Names of actions."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const principal = c.get("principal")!;
      const resource = await c.get("authority").resourceOf(principal, id);
      const actions = PROJECT_ACTIONS.filter(
        (action) => authorize(principal, action, resource) === "allowed",
      );
      return c.json({ actions }, 200);
    },
  );
  /**
   * Checks that a team may be removed from a project. If it has review rules, only an administrator may do that, so
   * that a project does not escape them.
   * @throws ApiFailure 403 `team-has-rules`
   */
  async function checkWithoutRules(c: Context, team: string): Promise<void> {
    const rules = await accountsOf(services).reviews.rules.list();
    if (!rules.some((rule) => rule.team === team) || ownsEverything(c.get("principal")!.role))
      return;
    throw new ApiFailure(403, "team-has-rules", sentence("team-has-rules"));
  }
  const MemberParams = ProjectParams.extend({ kind: Kind, member: z.string().max(100) });
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/members/{kind}/{member}",
      action: "project.members",
      summary: "Gives a person or team a role in the project.",
      request: { params: MemberParams, body: body(z.object({ role: ProjectRole })) },
      responses: answersOk,
    }),
    async (c) => {
      const { id, kind, member } = c.req.valid("param");
      const { role } = c.req.valid("json");
      await checkExists(kind, member);
      if (role !== "owner") await checkOwnerLeft(id, kind, member);
      const accounts = accountsOf(services);
      const isNew = !(await accounts.members.list(id)).some((one) => one.kind === kind && one.id === member); // prettier-ignore
      if (kind === "team" && isNew) await accounts.quotas.checkProjects({ kind, id: member });
      await accounts.members.set(id, { kind, id: member, role });
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/members/{kind}/{member}",
      action: "project.members",
      summary: "Takes a person's or team's role away, and ends what they have open in the project.",
      request: { params: MemberParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, kind, member } = c.req.valid("param");
      await checkOwnerLeft(id, kind, member);
      const accounts = accountsOf(services);
      if (kind === "team") await checkWithoutRules(c, member);
      await accounts.members.remove(id, { kind, id: member });
      accounts.changed();
      return c.json(ok, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/teams",
      action: "people.list",
      summary: "Lists teams with their members.",
      responses: answers(z.object({ teams: z.array(Team) }), "The oldest first."),
    }),
    async (c) => c.json({ teams: await accountsOf(services).members.teams() }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/teams",
      action: "people.manage",
      summary: "Creates a team.",
      request: { body: body(z.object({ name: Name })) },
      responses: created(z.object({ id: z.string() }), "The team."),
    }),
    async (c) => c.json(await accountsOf(services).members.addTeam(c.req.valid("json").name), 201),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/teams/{team}",
      action: "people.manage",
      summary: "Removes a team. Its projects stay with their other members.",
      request: { params: z.object({ team: z.string().max(100) }) },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { team: id } = c.req.valid("param");
      if (!(await accounts.members.removeTeam(id))) throw notFound("team");
      await services.modelRules?.forget({ kind: "team", id });
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  const TeamMember = z.object({ team: z.string().max(100), person: z.string().max(100) });
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/teams/{team}/members/{person}",
      action: "people.manage",
      summary: "Puts a person into a team. In its projects they have at most this role.",
      request: { params: TeamMember, body: body(z.object({ role: ProjectRole })) },
      responses: answersOk,
    }),
    async (c) => {
      const { team, person } = c.req.valid("param");
      await checkExists("team", team);
      await checkExists("person", person);
      const accounts = accountsOf(services);
      await accounts.members.setTeamMember(team, person, c.req.valid("json").role);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/teams/{team}/members/{person}",
      action: "people.manage",
      summary: "Takes a person out of a team.",
      request: { params: TeamMember },
      responses: answersOk,
    }),
    async (c) => {
      const { team, person } = c.req.valid("param");
      const accounts = accountsOf(services);
      await accounts.members.removeTeamMember(team, person);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
}
