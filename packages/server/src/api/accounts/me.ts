import { ACTIONS, authorize, type Action } from "@treadle/accounts";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { SCOPES, SERVER_ROLES, SIGN_INS } from "@treadle/protocol/accounts";
import { answers, createRoute } from "../describe.ts";

const Me = z
  .object({
    id: z.string(),
    role: z.enum(SERVER_ROLES),
    via: z.enum(SIGN_INS),
    scopes: z.array(z.enum(SCOPES)).optional(),
    actions: z.array(z.string()),
  })
  .openapi("Me") satisfies z.ZodType<P.Me>;

const SERVER_ACTIONS = (Object.keys(ACTIONS) as Action[]).filter(
  (action) => ACTIONS[action].on === "server",
);

/** Who is signed in. */
export function meRoutes(app: OpenAPIHono): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me",
      action: "account.view",
      summary: "Describes who is signed in, and what they may do on the server.",
      responses: answers(Me, "The person."),
    }),
    (c) => {
      const principal = c.get("principal")!;
      const { person, role, via, scopes } = principal;
      const actions = SERVER_ACTIONS.filter(
        (action) => authorize(principal, action, { kind: "server" }) === "allowed",
      );
      return c.json({ id: person, role, via, scopes: scopes && [...scopes], actions }, 200);
    },
  );
}
