import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { EVIDENCE_PARTS, VERDICTS } from "@treadle/protocol/evidence";
import {
  createBranch,
  FORGES,
  type GitOperations,
  readFacts,
  readOverview,
  requestPull,
  switchBranch,
} from "@treadle/git";
import { createRoute, answers, answersOk, body, ProjectParams } from "../describe.ts";
import { Statuses } from "./git-schemas.ts";
import { CodedText } from "../schemas.ts";
import type { Services } from "../services.ts";

const BranchName = z.string().min(1).max(200);
const Side = z.enum(["both", "here", "there"]);

const Overview = z.object({
  branch: z.string(),
  branches: z.array(z.object({ name: z.string(), here: z.boolean(), there: z.boolean() })),
  ahead: z.number().openapi({ description: "Commits that the next push adds to the server." }),
  behind: z.number().openapi({ description: "Commits that a pull brings." }),
  pending: z
    .array(
      z.object({
        subject: z.string().openapi({ description: "Empty: changes by hand." }),
        verdict: z.string().optional(),
        at: z.number().optional(),
      }),
    )
    .openapi({ description: "What the next push makes commits of, the newest first." }),
  commits: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      author: z.string(),
      at: z.number(),
      verdict: z.string().optional().openapi({
        description: "As the commit's own trailer says.",
      }),
      side: Side,
    }),
  ),
});

const Facts = z.object({
  kind: z.enum(FORGES),
  server: z.string(),
  isSignedIn: z.boolean(),
  branch: z.string(),
  isNew: z
    .boolean()
    .openapi({ description: "Whether `branch` is a suggested name for a new one." }),
  base: z.string(),
  turns: z.array(z.object({ asked: z.string(), verdict: z.enum(VERDICTS).optional() })),
  verdict: z.enum(VERDICTS).optional(),
  summary: z.string(),
  summaryCode: CodedText.optional(),
  parts: z.array(
    z.object({
      part: z.enum(EVIDENCE_PARTS),
      state: z.enum(["untried", "going", "held", "failed", "inapplicable"]),
      summary: z.string(),
      summaryCode: CodedText.optional(),
    }),
  ),
  asked: z.array(
    z.object({
      what: z.string(),
      check: z.string().optional(),
      why: z.string().optional().openapi({ description: "Why no check shows it." }),
    }),
  ),
  models: z.array(z.string()),
  usage: z.object({
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().optional(),
  }),
  picture: z
    .object({ hash: z.string(), way: z.enum(["upload", "attach", "branch"]) })
    .optional()
    .openapi({ description: "A picture of the app, and how the server takes it." }),
});

/** Routes for a project's branches and pull requests. */
export function gitBranchRoutes(
  app: OpenAPIHono,
  { picturesOf }: Pick<Services, "picturesOf">,
  operations: GitOperations,
): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/fetch",
      action: "project.push",
      summary: "Asks the repository for its branches, and compares the current one with it.",
      request: { params: ProjectParams },
      responses: answers(Overview, "The branches and the newest commits."),
    }),
    async (c) =>
      c.json(await operations.run(c.req.valid("param").id, c.req.raw.signal, readOverview), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/branches",
      action: "project.push",
      summary:
        "Makes a branch that begins where the project is, and goes on in it. Turns that were not pushed become its commits. 409 `git-branch-taken`.",
      request: { params: ProjectParams, body: body(z.object({ name: BranchName })) },
      responses: answersOk,
    }),
    async (c) => {
      const { name } = c.req.valid("json");
      await operations.run(c.req.valid("param").id, c.req.raw.signal, (parts) =>
        createBranch(parts, name),
      );
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/switch",
      action: "project.push",
      summary:
        "Switches to a branch of the project or of the repository. What is new is committed to the current one; the files become those of the other. Files that checkpoints leave out stay. 409 `working` while a turn is active.",
      request: { params: ProjectParams, body: body(z.object({ branch: BranchName })) },
      responses: answers(z.object({ files: z.number() }), "How many files changed."),
    }),
    async (c) => {
      const { branch } = c.req.valid("json");
      const { id } = c.req.valid("param");
      const result = await operations.run(id, c.req.raw.signal, (parts) =>
        switchBranch(parts, branch),
      );
      return c.json(result, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/git/pull-request",
      action: "project.view",
      summary:
        "What there is to say in a pull request of the current branch: the requests, the verdict, what was tried, a picture and the cost. 409 `git-no-api` if the server has no API of GitHub, GitLab, Gitea or Forgejo.",
      request: { params: ProjectParams },
      responses: answers(Facts, "The facts."),
    }),
    async (c) =>
      c.json(await operations.run(c.req.valid("param").id, c.req.raw.signal, readFacts), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/git/pull-request",
      action: "project.push",
      summary:
        "Pushes the branch and opens a pull request (GitLab: a merge request), or finds the one that is open already. 409 `git-login` without a valid token, 403 `git-scope` if the token lacks a permission.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            title: z.string().min(1).max(250),
            body: z.string().max(60_000),
            base: BranchName,
            branch: BranchName.optional().openapi({
              description: "Absent: the current one. Another is made.",
            }),
            picture: z.string().max(200).optional().openapi({
              description: "Hash of a picture of the project to show.",
            }),
          }),
        ),
      },
      responses: answers(
        z.object({
          address: z.string(),
          existed: z.boolean().openapi({
            description: "It was open already; its text was not changed.",
          }),
          hasPicture: z.boolean(),
          pushed: z.number(),
          statuses: Statuses,
        }),
        "Its address.",
      ),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const request = c.req.valid("json");
      const opened = await operations.run(id, c.req.raw.signal, (parts) =>
        requestPull(parts, request, picturesOf(id)),
      );
      return c.json(opened, 200);
    },
  );
}
