import { ACTIONS, authorize, type Accounts, type Action } from "@treadle/accounts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import { answers, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { Me } from "./account-schemas.ts";

const SERVER_ACTIONS = (Object.keys(ACTIONS) as Action[]).filter(
  (action) => ACTIONS[action].on === "server",
);

/**
 * The accounts of a server that has any.
 * @throws ApiFailure 409 `no-accounts`
 */
export function accountsOf({ accounts }: Pick<Services, "accounts">): Accounts {
  if (!accounts) throw new ApiFailure(409, "no-accounts", sentence("no-accounts"));
  return accounts;
}

/** The route that describes who is signed in. */
export function meRoutes(app: OpenAPIHono, { accounts }: Pick<Services, "accounts">): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/me",
      action: "account.view",
      summary: "Describes who is signed in, and what they may do on the server.",
      responses: answers(Me, "The person."),
    }),
    async (c) => {
      const principal = c.get("principal")!;
      const { person: id, role, via, scopes } = principal;
      const person = await accounts?.people.get(id);
      const actions = SERVER_ACTIONS.filter(
        (action) => authorize(principal, action, { kind: "server" }) === "allowed",
      );
      return c.json(
        {
          id,
          name: person?.name,
          email: person?.email,
          role,
          via,
          scopes: scopes && [...scopes],
          actions,
          accounts: accounts !== undefined,
        },
        200,
      );
    },
  );
}
