import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "@treadle/common";
import { answers, answersOk, body, created, createRoute } from "../describe.ts";
import type { Services } from "../services.ts";
import { DeviceAnswer, DeviceRequest, Secret } from "./account-schemas.ts";
import { accountsOf } from "./me.ts";

/** How often a program asks for the answer, in milliseconds. */
const POLL_MS = 2_000;
const Code = z.string().max(40);

/** Routes that sign a program in by a code that a person types in the page. */
export function deviceRoutes(app: OpenAPIHono, services: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-in/device",
      action: "account.sign-in",
      summary:
        "Begins to sign a program in: a person types the code at the address, within ten minutes, while the program asks for the answer.",
      request: { body: body(DeviceRequest) },
      responses: created(
        z.object({
          device: z.string(),
          code: z.string(),
          address: z.string(),
          expiresAt: z.number(),
          pollMs: z.number(),
        }),
        "`device` is the program's secret, `code` is for the person.",
      ),
    }),
    async (c) => {
      const begun = await accountsOf(services).devices.begin(c.req.valid("json"));
      const address = `${services.origin()}/device`;
      return c.json({ ...begun, address, pollMs: POLL_MS }, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/sign-in/device/answer",
      action: "account.sign-in",
      summary: "What a person answered to a program. The token is given once.",
      request: { body: body(z.object({ device: Secret })) },
      responses: answers(DeviceAnswer, "The answer."),
    }),
    async (c) => {
      c.header("cache-control", "no-store");
      return c.json(await accountsOf(services).devices.poll(c.req.valid("json").device), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/devices/describe",
      action: "account.change",
      summary: "Describes who asks for what with a code.",
      request: { body: body(z.object({ code: Code })) },
      responses: answers(DeviceRequest, "404 if there is no such code, or it has expired."),
    }),
    async (c) => {
      const request = await accountsOf(services).devices.describe(c.req.valid("json").code);
      if (!request) throw notFound("request");
      return c.json(request, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/me/devices",
      action: "account.change",
      summary: "Lets a program act for the person by an API token with an end, or refuses it.",
      request: { body: body(z.object({ code: Code, allow: z.boolean() })) },
      responses: answersOk,
    }),
    async (c) => {
      const { code, allow } = c.req.valid("json");
      const { person } = c.get("principal")!;
      if (!(await accountsOf(services).devices.answer(code, person, allow)))
        throw notFound("request");
      return c.json({ ok: true as const }, 200);
    },
  );
}
