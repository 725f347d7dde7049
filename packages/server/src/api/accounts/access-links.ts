import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { AccessLink as Link } from "@treadle/accounts";
import { ApiFailure, notFound } from "@treadle/common";
import { LINK_ROLES } from "@treadle/protocol/accounts";
import { sentence } from "@treadle/protocol/sentences";
import { visible, withoutControls } from "@treadle/protocol/safe-text";
import { joinPage } from "../../access/join-page.ts";
import { requires } from "../../access/requires.ts";
import { sessionCookie } from "../../access/session-cookie.ts";
import { answers, answersOk, body, created, createRoute, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";
import { auditFailedSignIn } from "./auditing.ts";
import { accountsOf } from "./me.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NAME_CHARS = 60;

const AccessLink = z
  .object({
    id: z.string(),
    role: z.enum(LINK_ROLES),
    nameless: z.boolean(),
    createdAt: z.number(),
    expiresAt: z.number(),
    uses: z.number(),
    usedAt: z.number().optional(),
  })
  .openapi("AccessLink") satisfies z.ZodType<Link>;
const Address = z.string().openapi({ description: "The link itself, which is shown only now." });
const path = "/api/projects/{id}/access-links";
const LinkParams = ProjectParams.extend({ link: z.string().max(40) });

/** Routes for links that give a role in one project until a date, and the page at which guests join by one. */
export function accessLinkRoutes(app: OpenAPIHono, services: Services): void {
  const addressOf = (secret: string) => `${services.origin()}/join?link=${secret}`;

  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.members",
      summary: "Lists the project's valid access links, without their addresses.",
      request: { params: ProjectParams },
      responses: answers(z.object({ links: z.array(AccessLink) }), "The newest first."),
    }),
    async (c) =>
      c.json({ links: await accountsOf(services).accessLinks.list(c.req.valid("param").id) }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path,
      action: "project.members",
      summary:
        "Creates a link that gives whoever opens it a role in this project until a date. Guests sign in or, to view and comment, come in with a name of their choice if `nameless` allows it.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            role: z.enum(LINK_ROLES),
            days: z.number().positive().max(365),
            nameless: z.boolean().default(false),
          }),
        ),
      },
      responses: created(AccessLink.extend({ link: Address }), "The link."),
    }),
    async (c) => {
      const { role, days, nameless } = c.req.valid("json");
      const { id } = c.req.valid("param");
      // Model calls of an editor must belong to somebody with an account.
      if (nameless && role === "editor")
        throw new ApiFailure(400, "bad-input", sentence("nameless-editor"));
      const by = c.get("principal")!.person;
      const terms = { role, nameless, validMs: days * DAY_MS, by };
      const { link, secret } = await accountsOf(services).accessLinks.create(id, terms);
      return c.json({ ...link, link: addressOf(secret) }, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{link}/rotate`,
      action: "project.members",
      summary: "Gives a link another address. Whoever came in by the old one loses the right.",
      request: { params: LinkParams },
      responses: answers(z.object({ link: Address }), "The new address."),
    }),
    async (c) => {
      const { id, link } = c.req.valid("param");
      const accounts = accountsOf(services);
      const secret = await accounts.accessLinks.rotate(id, link);
      if (secret === undefined) throw notFound("link");
      accounts.changed();
      return c.json({ link: addressOf(secret) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `${path}/{link}`,
      action: "project.members",
      summary: "Ends a link, the right of everybody who came in by it, and what they have open.",
      request: { params: LinkParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, link } = c.req.valid("param");
      const accounts = accountsOf(services);
      if (!(await accounts.accessLinks.revoke(id, link))) throw notFound("link");
      accounts.changed();
      return c.json({ ok: true as const }, 200);
    },
  );

  app.all("/join", requires("account.sign-in"), async (c) => {
    const accounts = accountsOf(services);
    const { accessLinks, people, sessions, oidc } = accounts;
    const language = c.req.header("accept-language");
    const principal = c.get("principal");
    const form = c.req.method === "POST" ? await c.req.parseBody() : {};
    const secret = String(form["link"] ?? c.req.query("link") ?? "");
    const name = visible(
      withoutControls(typeof form["name"] === "string" ? form["name"] : ""),
    ).trim();
    const known = principal && (await people.get(principal.person));
    const page = async (status: number) => {
      const link = await accessLinks.peek(secret);
      return joinPage(link ? status : 404, { secret, link, known, provider: oidc?.name }, language);
    };
    if (c.req.method !== "POST") return page(200);
    return auditFailedSignIn(accounts, { how: "link" }, async () => {
      if (principal) {
        const joined = await accessLinks.join(secret, principal.person);
        return joined ? c.redirect(`/p/${joined.project}`, 303) : page(404);
      }
      if (name === "") return page(400);
      const joined = await accessLinks.joinNameless(secret, name.slice(0, NAME_CHARS));
      if (!joined) return page(403);
      const cookie = await sessions.open(joined.person, c.req.header("user-agent"), {
        endsAt: joined.expiresAt,
      });
      c.header("set-cookie", sessionCookie(cookie, services.ownHosts()));
      return c.redirect(`/p/${joined.project}`, 303);
    });
  });
}
