import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { MAIL_LANGUAGES } from "@treadle/notifications";
import { answers, answersOk, body, createRoute, ProjectParams } from "../describe.ts";
import { CodedText } from "../schemas.ts";
import type { Services } from "../services.ts";

const Channel = z.object({ channel: z.enum(["webhook", "mail"]) });
/** An address or a name; the limit is above the length of any. */
const Short = z.string().trim().max(2_000);
const MailAddress = Short.regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, "not a mail address");
const Security = z.enum(["tls", "starttls", "none"]);
const Port = z.number().int().min(1).max(65_535);

const LastDelivery = z
  .object({
    at: z.number(),
    failure: z.object({ message: z.string(), messageCode: CodedText.optional() }).optional(),
  })
  .optional();

const NotificationSettings = z
  .object({
    webhook: z.object({ url: z.string(), hasSecret: z.boolean(), last: LastDelivery }).optional(),
    mail: z
      .object({
        host: z.string(),
        port: Port,
        security: Security,
        user: z.string(),
        hasPassword: z.boolean(),
        from: z.string(),
        to: z.string(),
        last: LastDelivery,
      })
      .optional(),
  })
  .openapi("NotificationSettings") satisfies z.ZodType<P.NotificationSettings>;

const settingsAnswer = answers(
  NotificationSettings,
  "The channels that are on, with the result of the last delivery. Secrets and passwords are never in it.",
);

/** Routes for the webhook and the mail address to which news of turns are sent. */
export function notificationRoutes(
  app: OpenAPIHono,
  { notifications }: Pick<Services, "notifications">,
): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/notifications",
      action: "server.inspect",
      summary: "Returns where news of turns are sent.",
      responses: settingsAnswer,
    }),
    async (c) => c.json(await notifications.settings.read(), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/notifications/webhook",
      action: "server.configure",
      summary:
        "Sets the address to which news of turns are posted as JSON. With a secret, X-Treadle-Signature is the HMAC-SHA256 of the body. Without `secret` it stays as it is, unless the server changes.",
      request: {
        body: body(z.object({ url: Short.min(1), secret: z.string().max(2_000).optional() })),
      },
      responses: settingsAnswer,
    }),
    async (c) => {
      await notifications.settings.setWebhook(c.req.valid("json"));
      return c.json(await notifications.settings.read(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/notifications/mail",
      action: "server.configure",
      summary:
        "Sets the SMTP server and the address to which news of turns are mailed. Without `password` it stays as it is, unless server or user change.",
      request: {
        body: body(
          z.object({
            host: Short.regex(/^[\w.:-]+$/, "not a host name"),
            port: Port,
            security: Security,
            user: Short,
            password: z.string().max(2_000).optional(),
            from: MailAddress,
            to: MailAddress,
            language: z.enum(MAIL_LANGUAGES).default("en"),
          }),
        ),
      },
      responses: settingsAnswer,
    }),
    async (c) => {
      await notifications.settings.setMail(c.req.valid("json"));
      return c.json(await notifications.settings.read(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/notifications/{channel}",
      action: "server.configure",
      summary: "Switches a channel off, and deletes its settings.",
      request: { params: Channel },
      responses: settingsAnswer,
    }),
    async (c) => {
      await notifications.settings.remove(c.req.valid("param").channel);
      return c.json(await notifications.settings.read(), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/notifications/{channel}/test",
      action: "server.configure",
      summary: "Sends a test through a channel. 502 with the reason if it is not delivered.",
      request: { params: Channel },
      responses: answersOk,
    }),
    async (c) => {
      await notifications.test(c.req.valid("param").channel);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/seen",
      action: "project.edit",
      summary:
        "Says that a person has just seen the project's news, as pages that are looked at do: for ten seconds after the event that keeps it from being sent.",
      request: { params: ProjectParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      notifications.seen(id);
      return c.json({ ok: true as const }, 200);
    },
  );
}
