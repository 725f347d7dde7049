import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { COMMON_HEADERS, inTime } from "@treadle/common";
import { answers, createRoute } from "./describe.ts";
import { Health } from "./schemas.ts";
import type { Services } from "./services.ts";

/** Time limit for the store's answer, in milliseconds. */
const STORE_MS = 2_000;

/**
 * Adds the probes for whoever supervises the process. They need no sign-in and answer at any host, since an
 * orchestrator asks at the machine's address; they reveal nothing else. `/healthz` says that the process answers,
 * `/readyz` that the store does as well, or 503.
 */
export function answerProbes(app: OpenAPIHono, { store }: Pick<Services, "store">): void {
  app.use("/healthz", (c, next) =>
    isProbe(c) ? Promise.resolve(c.text("ok", 200, UNCACHED)) : next(),
  );
  app.use("/readyz", async (c, next) => {
    if (!isProbe(c)) return next();
    const hasAnswered = store.settings.get("ready").then(() => true);
    const isReady = await inTime(hasAnswered, STORE_MS).catch(() => false);
    return isReady === true ? c.text("ready", 200, UNCACHED) : c.text("not ready", 503, UNCACHED);
  });
}

const isProbe = ({ req }: Context) => req.method === "GET" || req.method === "HEAD";

const UNCACHED = { "cache-control": "no-store", ...COMMON_HEADERS };

export function healthRoutes(app: OpenAPIHono, { health }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/health",
      action: "server.view",
      summary: "Describes what this server can do.",
      responses: answers(Health, "No secrets, no paths."),
    }),
    async (c) => c.json(await health(), 200),
  );
}
