import { NodeSqliteDialect } from "@better-auth/kysely-adapter/node-sqlite-dialect";
import { betterAuth, type BetterAuthOptions } from "better-auth";
import type { Context } from "hono";
import { db } from "./db.ts";
import { sendLink } from "./mail.ts";
import { isHttps } from "./request.ts";
import { authSecret } from "./secret.ts";

export const PASSWORD = { min: 10, max: 200 };
const DAY = 24 * 60 * 60;

const options = {
  appName: "App",
  secret: authSecret(),
  database: { dialect: new NodeSqliteDialect({ database: db }), type: "sqlite" },
  emailAndPassword: {
    enabled: true,
    minPasswordLength: PASSWORD.min,
    maxPasswordLength: PASSWORD.max,
    resetPasswordTokenExpiresIn: 60 * 60,
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: async ({ user, token }) => {
      // Not waited for: the answer would take longer for addresses that are known.
      sendLink(user.email, "Choose a new password", `/reset?token=${encodeURIComponent(token)}`).catch(
        (error: Error) => console.error(`The mail could not be sent: ${error.message}`),
      );
    },
  },
  session: { expiresIn: 30 * DAY, updateAge: DAY },
  // Counted for each address and path, and kept over a restart.
  rateLimit: {
    enabled: true,
    storage: "database",
    window: 60,
    max: 120,
    customRules: {
      "/sign-in/email": { window: 60, max: 5 },
      "/sign-up/email": { window: 10 * 60, max: 10 },
      "/request-password-reset": { window: 10 * 60, max: 3 },
      "/reset-password": { window: 60, max: 5 },
    },
  },
  telemetry: { enabled: false },
  logger: { level: "error" },
} satisfies BetterAuthOptions;

const over = (protocol: "http" | "https") =>
  // The origin that a request has to come from is that of the host it was sent to.
  betterAuth({ ...options, baseURL: { allowedHosts: ["*"], protocol } });

/** Cookies over https are `__Secure-`; over http, as in development, browsers would not take such. */
export const auths = { http: over("http"), https: over("https") };

export const authOf = (c: Context) => auths[isHttps(c) ? "https" : "http"];

/** Asks better-auth as a browser would, so that its limits and its check of the origin hold for forms too. */
export function askAuth(c: Context, path: string, body: object = {}): Promise<Response> {
  const headers = new Headers(c.req.raw.headers);
  headers.delete("content-length");
  headers.set("content-type", "application/json");
  return authOf(c).handler(
    new Request(new URL(`/api/auth${path}`, c.req.url), {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    }),
  );
}
