import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { DeviceSignIns, DeviceState, GitLogins } from "@treadle/git";
import type * as P from "@treadle/protocol";
import { createRoute, answers, answersOk, body } from "../describe.ts";
import { failureOf } from "../failures.ts";
import { CodedText } from "../schemas.ts";

const Server = z.string().min(1).max(300);

const SignIn = z.object({
  phase: z.enum(["requesting", "waiting", "signed-in", "cancelled", "denied", "expired", "failed"]),
  userCode: z.string().optional().openapi({ description: "The code to enter." }),
  verificationUri: z.string().optional().openapi({ description: "The page to enter it on." }),
  until: z.number().optional().openapi({ description: "When the code expires." }),
  error: z
    .object({ code: z.string(), message: z.string(), messageCode: CodedText.optional() })
    .optional(),
});

/** Describes a sign-in for the page, without the device code that fetches the token. */
function describeSignIn(state: DeviceState): z.infer<typeof SignIn> {
  switch (state.phase) {
    case "waiting":
    case "polling": {
      const { userCode, verificationUri, until } = state.grant;
      return { phase: "waiting", userCode, verificationUri, until };
    }
    case "storing":
      return { phase: "requesting" };
    case "ended": {
      if (state.problem !== "failed") return { phase: state.problem };
      const { code, message, coded } = failureOf(state.error, () => undefined);
      return {
        phase: "failed",
        error: { code, message, messageCode: coded as P.CodedText | undefined },
      };
    }
    default:
      return { phase: state.phase };
  }
}

/** Routes for logins of git servers: the stored ones, and new ones by the device flow (RFC 8628). */
export function gitSignInRoutes(app: OpenAPIHono, logins: GitLogins, signIns: DeviceSignIns): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/git/logins",
      action: "server.inspect",
      summary: "Lists the git servers with a saved login. Passwords are never returned.",
      responses: answers(
        z.object({ logins: z.array(z.object({ host: z.string(), user: z.string() })) }),
        "The logins.",
      ),
    }),
    async (c) => c.json({ logins: await logins.list() }, 200),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/git/logins/{host}",
      action: "server.configure",
      summary: "Deletes the login of a git server.",
      request: { params: z.object({ host: z.string().max(300) }) },
      responses: answersOk,
    }),
    async (c) => {
      await logins.remove(c.req.valid("param").host);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/git/key",
      action: "server.configure",
      summary: "Treadle's own public SSH key, created on first use.",
      responses: answers(z.object({ key: z.string() }), "The key."),
    }),
    async (c) => c.json({ key: await logins.publicKey() }, 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/git/sign-ins",
      action: "server.inspect",
      summary: "The servers on which people can sign in with a code instead of a token.",
      responses: answers(z.object({ servers: z.array(z.string()) }), "Their addresses."),
    }),
    (c) => c.json({ servers: signIns.servers() }, 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/git/sign-ins",
      action: "server.configure",
      summary:
        "Begins a sign-in by the device flow, or continues the running one. The token is stored for that host on the server, and never returned.",
      request: { body: body(z.object({ server: Server })) },
      responses: answers(SignIn, "Its state."),
    }),
    (c) => c.json(describeSignIn(signIns.begin(c.req.valid("json").server)), 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/git/sign-in",
      action: "server.inspect",
      summary: "The state of the last sign-in at a server.",
      request: { query: z.object({ server: Server }) },
      responses: answers(SignIn, "Its state."),
    }),
    (c) => c.json(describeSignIn(signIns.read(c.req.valid("query").server)), 200),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/git/sign-in",
      action: "server.configure",
      summary: "Cancels a sign-in.",
      request: { query: z.object({ server: Server }) },
      responses: answers(SignIn, "Its state."),
    }),
    (c) => c.json(describeSignIn(signIns.cancel(c.req.valid("query").server)), 200),
  );
}
