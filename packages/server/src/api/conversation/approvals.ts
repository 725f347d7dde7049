import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, answers, answersOk, body, ProjectParams } from "../describe.ts";
import type { ApprovalSubject } from "@treadle/protocol";
import { isForeignTool } from "@treadle/protocol/tools";
import type { Context } from "hono";
import { refuseIfReviewed } from "../reviews.ts";
import type { Services } from "../services.ts";

/** Maximum length of a person's reply, in characters. */
const WORDS = 20_000;
/** Maximum number of permanent approvals per project. */
const REMEMBERED = 500;

const Policy = z
  .object({
    mode: z.enum(["ask", "safe", "auto"]),
    always: z
      .array(
        z.object({
          kind: z.enum(["read", "write", "remove", "command", "outside"]),
          what: z.array(z.string().max(WORDS)).min(1).max(20),
        }),
      )
      .max(REMEMBERED),
  })
  .openapi("ApprovalPolicy");

const GivenAnswer = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("approve"),
      digest: z.string().max(200),
      always: z.boolean().optional(),
    }),
    z.object({ kind: z.literal("deny"), words: z.string().max(WORDS).optional() }),
    z.object({ kind: z.literal("words"), text: z.string().min(1).max(WORDS) }),
  ])
  .openapi("GivenAnswer");

/** Routes for a run's questions and a project's permanent approvals. */
export function approvalRoutes(app: OpenAPIHono, services: Services): void {
  const { runtimes, accounts } = services;
  /** Approves somebody else's open request for a tool, if this answer is for one. @returns whether it was */
  async function isApproved(c: Context, project: string, what: readonly string[]) {
    const reviews = accounts?.reviews;
    const open = await reviews?.findOpen(project, "tool-server", what);
    const person = c.get("principal")?.person ?? "";
    if (!reviews || !open || !(await reviews.mayAnswer(open, person))) return false;
    await reviews.approve(open.id, { id: person, name: (await accounts?.people.get(person))?.name ?? "" }, false); // prettier-ignore
    return true;
  }
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/questions/{question}",
      action: "project.edit",
      summary:
        "Answers the question that a run waits for. The run continues, even after a restart.",
      request: {
        params: ProjectParams.extend({ question: z.string().max(200) }),
        body: body(GivenAnswer),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { id, question } = c.req.valid("param");
      const runtime = await runtimes.get(id);
      const given = c.req.valid("json");
      const asked = runtime.view.question?.question;
      if (given.kind === "approve" && asked?.kind === "approval" && isForeignTool(asked.tool))
        if (await isApproved(c, id, asked.subject.what)) return c.json({ ok: true as const }, 200);
        else await refuseIfReviewed(c, services, id, "tool-server");
      await runtime.answer(question, given);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/approvals",
      action: "project.view",
      summary: "The project's approval policy.",
      request: { params: ProjectParams },
      responses: answers(Policy, "As it stands."),
    }),
    async (c) => c.json((await runtimes.get(c.req.valid("param").id)).policy(), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/approvals",
      action: "project.configure",
      summary: "Sets the project's approval policy, from the next call on.",
      request: { params: ProjectParams, body: body(Policy) },
      responses: answers(Policy, "As it stands."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const runtime = await runtimes.get(id);
      const policy = c.req.valid("json");
      const known = runtime.policy().always.map((subject) => JSON.stringify(subject));
      // Approvals of kind `outside` are for tools of tool servers.
      const isNew = (subject: ApprovalSubject) => !known.includes(JSON.stringify(subject));
      if (policy.always.some((subject) => subject.kind === "outside" && isNew(subject)))
        await refuseIfReviewed(c, services, id, "tool-server");
      await runtime.allow(policy);
      return c.json(runtime.policy(), 200);
    },
  );
}
