import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { ServerRole as Role } from "@treadle/protocol";
import { SERVER_ROLES } from "@treadle/protocol/accounts";
import type { Context } from "hono";
import { answers, answersOk, body, created, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { Invitation, InvitationTerms, Name, Person, ServerRole } from "./account-schemas.ts";
import { accountsOf } from "./me.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an invitation is valid by default, in days. */
const INVITATION_DAYS = 7;
const SIGN_IN_MS = 60 * 60 * 1000;
const Id = z.object({ person: z.string().max(100) });
const ok = { ok: true } as const;

/** Checks that a role is not above the requester's own: an admin makes nobody an owner. @throws ApiFailure 403 */
function checkRole(c: Context, role: Role): void {
  const { role: own } = c.get("principal")!;
  if (SERVER_ROLES.indexOf(role) < SERVER_ROLES.indexOf(own))
    throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
}

/** Routes for people and invitations. */
export function peopleRoutes(app: OpenAPIHono, services: Services): void {
  /** The person whom a request is about. @throws ApiFailure 404, or 403 for somebody of a higher role */
  async function other(c: Context, id: string) {
    const person = await accountsOf(services).people.get(id);
    if (!person) throw notFound("person");
    checkRole(c, person.role);
    return person;
  }
  const linkOf = (secret: string) => `${services.origin()}/enter?link=${secret}`;

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/people",
      action: "people.list",
      summary: "Lists the people of this server.",
      responses: answers(z.object({ people: z.array(Person) }), "The oldest account first."),
    }),
    async (c) => c.json({ people: await accountsOf(services).people.list() }, 200),
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/people/{person}",
      action: "people.manage",
      summary: "Renames a person, or changes their role. Nobody can give a role above their own.",
      request: {
        params: Id,
        body: body(z.object({ name: Name.optional(), role: ServerRole.optional() })),
      },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { id } = await other(c, c.req.valid("param").person);
      const change = c.req.valid("json");
      if (change.role !== undefined) checkRole(c, change.role);
      await accounts.people.update(id, {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.role === undefined ? {} : { role: change.role }),
      });
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/people/{person}",
      action: "people.manage",
      summary:
        "Removes a person with all sign-ins. Their projects go to the person named, or to whoever asks.",
      request: { params: Id, query: z.object({ heir: z.string().max(100).optional() }) },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { id } = await other(c, c.req.valid("param").person);
      const heir = c.req.valid("query").heir ?? c.get("principal")!.person;
      if (heir === id || !(await accounts.people.get(heir))) throw notFound("person");
      await accounts.people.remove(id, heir);
      await services.modelRules?.forget({ kind: "person", id });
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/people/{person}/suspension",
      action: "people.manage",
      summary:
        "Suspends a person, which ends their sessions and API tokens and what is open with them, or lets them sign in again.",
      request: { params: Id, body: body(z.object({ suspended: z.boolean() })) },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { id } = await other(c, c.req.valid("param").person);
      if (c.req.valid("json").suspended) await accounts.people.suspend(id, "administrator");
      else await accounts.people.restore(id);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/people/{person}/sessions",
      action: "people.manage",
      summary: "Ends all of a person's sessions.",
      request: { params: Id },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      await accounts.sessions.endAll((await other(c, c.req.valid("param").person)).id);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/people/{person}/sign-ins",
      action: "people.manage",
      summary:
        "Removes a person's passkeys, authenticator app and recovery codes, and ends their sessions. Their password stays.",
      request: { params: Id },
      responses: answersOk,
    }),
    async (c) => {
      const accounts = accountsOf(services);
      const { id } = await other(c, c.req.valid("param").person);
      await accounts.credentials.reset(id);
      await accounts.sessions.endAll(id);
      accounts.changed();
      return c.json(ok, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/people/{person}/link",
      action: "people.manage",
      summary: "Creates a link that signs a person in once, within an hour.",
      request: { params: Id },
      responses: created(z.object({ link: z.string(), expiresAt: z.number() }), "The link."),
    }),
    async (c) => {
      const { id } = await other(c, c.req.valid("param").person);
      const { secret, expiresAt } = await accountsOf(services).links.create(
        { purpose: "sign-in", person: id },
        { validMs: SIGN_IN_MS, by: c.get("principal")!.person },
      );
      return c.json({ link: linkOf(secret), expiresAt }, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/invitations",
      action: "people.manage",
      summary: "Lists invitations that nobody has used yet.",
      responses: answers(z.object({ invitations: z.array(Invitation) }), "The oldest first."),
    }),
    async (c) => {
      const open = await accountsOf(services).links.list("invitation");
      const invitations = open.flatMap(({ terms, ...rest }) =>
        terms.purpose === "invitation" ? [{ ...rest, ...terms }] : [],
      );
      return c.json({ invitations }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/invitations",
      action: "people.manage",
      summary:
        "Creates a link by which somebody gets an account, once; with a role in a project or team if that is given.",
      request: {
        body: body(InvitationTerms.extend({ days: z.number().positive().max(90).optional() })),
      },
      responses: created(z.object({ id: z.string(), link: z.string() }), "The link."),
    }),
    async (c) => {
      const { days = INVITATION_DAYS, ...terms } = c.req.valid("json");
      checkRole(c, terms.role);
      const { id, secret } = await accountsOf(services).links.create(
        { purpose: "invitation", ...terms },
        { validMs: days * DAY_MS, by: c.get("principal")!.person },
      );
      return c.json({ id, link: linkOf(secret) }, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/invitations/{invitation}",
      action: "people.manage",
      summary: "Takes an invitation back.",
      request: { params: z.object({ invitation: z.string().max(100) }) },
      responses: answersOk,
    }),
    async (c) => {
      if (!(await accountsOf(services).links.remove(c.req.valid("param").invitation)))
        throw notFound("link");
      return c.json(ok, 200);
    },
  );
}
