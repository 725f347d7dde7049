import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure, notFound } from "@treadle/common";
import type { Accounts, StoredReview } from "@treadle/accounts";
import type * as P from "@treadle/protocol";
import { REVIEW_KINDS, REVIEW_STATES } from "@treadle/protocol/accounts";
import { VERDICTS } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";
import type { Context } from "hono";
import { enterAddress } from "../access/preview-door.ts";
import { visibleProjects } from "../access/requires.ts";
import { accountsOf } from "./accounts/me.ts";
import { answers, answersOk, body, createRoute, created, ProjectParams } from "./describe.ts";
import { readHost } from "../projects/project-settings.ts";
import { sessionOf } from "./preview-passes.ts";
import { CodedText } from "./schemas.ts";
import type { Services } from "./services.ts";

const Kind = z.enum(REVIEW_KINDS);
/** What people write about a request. */
const Words = z.string().trim().max(2_000).optional();
const Short = z.string().min(1).max(400);
const Person = z.object({ id: z.string(), name: z.string() });
const Trust = z.discriminatedUnion("step", [
  z.object({ step: z.literal("accept"), server: Short, digest: Short }),
  z.object({ step: z.literal("enable"), server: Short }),
  z.object({ step: z.literal("allow"), server: Short, tool: Short.optional() }),
  z.object({
    step: z.literal("question"),
    question: Short,
    digest: Short,
    always: z.boolean().optional(),
  }),
]);
const ReviewedPackage = z.object({
  name: z.string(),
  version: z.string().optional(),
  license: z.string().optional(),
  brings: z.array(z.string()),
  isCut: z.literal(true).optional(),
  advisories: z
    .array(z.object({ name: z.string(), title: z.string(), severity: z.string() }))
    .optional(),
  run: z.string().optional(),
});
const Review = z
  .object({
    id: z.string(),
    project: z.string(),
    projectName: z.string(),
    kind: Kind,
    state: z.enum(REVIEW_STATES),
    by: Person,
    at: z.number(),
    words: z.string().optional(),
    subject: z.object({
      what: z.array(z.string()),
      release: z.number().optional(),
      revision: z.string().optional(),
      checkpoint: z.string().optional(),
      before: z.string().optional(),
      verdict: z.enum(VERDICTS).optional(),
      checks: z.array(z.object({ name: z.string(), ok: z.boolean() })).optional(),
      trust: Trust.optional(),
      package: ReviewedPackage.optional(),
    }),
    answer: z
      .object({
        by: Person,
        at: z.number(),
        words: z.string().optional(),
        standing: z.literal(true).optional(),
      })
      .optional(),
    failure: z.object({ message: z.string(), messageCode: CodedText.optional() }).optional(),
    mayAnswer: z.boolean(),
    isOwn: z.boolean(),
  })
  .openapi("Review") satisfies z.ZodType<P.Review>;
const ProjectReviews = z
  .object({
    needed: z.array(Kind),
    standing: z.array(z.object({ kind: Kind, by: Person, at: z.number() })),
    reviews: z.array(Review),
  })
  .openapi("ProjectReviews") satisfies z.ZodType<P.ProjectReviews>;
const NewReview = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("publish"), name: z.string().max(100).optional(), words: Words }),
    z.object({ kind: z.literal("host"), host: Short, words: Words }),
    z.object({ kind: z.literal("tool-server"), trust: Trust, words: Words }),
    z.object({ kind: z.literal("package"), name: Short, words: Words }),
  ])
  .openapi("NewReview") satisfies z.ZodType<P.NewReview>;
const Rule = z
  .object({ team: z.string(), kinds: z.array(Kind) })
  .openapi("ReviewRule") satisfies z.ZodType<P.ReviewRule>;

const path = "/api/projects/{id}/reviews";
const ReviewParams = ProjectParams.extend({ review: z.string().max(100) });

/** Routes for requests that a second person has to approve, and for what needs one. */
export function reviewRoutes(app: OpenAPIHono, services: Services): void {
  const { publications, runtimes, store } = services;
  const reviewsOf = () => accountsOf(services).reviews;

  async function toReview(review: StoredReview, projectName: string, person: string) {
    const mayAnswer = await reviewsOf().mayAnswer(review, person);
    return { ...review, projectName, mayAnswer, isOwn: review.by.id === person };
  }
  /** Finds a request by its id. @throws ApiFailure 404 if the project has no such request */
  async function find(project: string, id: string): Promise<StoredReview> {
    const found = await reviewsOf().get(id);
    if (found?.project !== project) throw notFound("request");
    return found;
  }
  /** The project's name. @throws ApiFailure 404 */
  async function nameOf(project: string): Promise<string> {
    const record = await store.projects.get(project);
    if (!record) throw notFound("project");
    return record.name;
  }

  /** The texts that describe a request for a tool server to people. @throws ApiFailure 404 */
  async function shownTrust(project: string, trust: P.ToolTrust): Promise<string[]> {
    if (trust.step !== "question")
      return [trust.server, ...(trust.step === "allow" && trust.tool !== undefined ? [trust.tool] : [])]; // prettier-ignore
    const asked = (await runtimes.get(project)).view.question?.question;
    if (asked?.kind !== "approval" || asked.id !== trust.question) throw notFound("question");
    return asked.subject.what;
  }

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/reviews",
      action: "projects.list",
      summary: "Lists open requests that one may answer, and one's own.",
      responses: answers(z.object({ reviews: z.array(Review) }), "The newest first."),
    }),
    async (c) => {
      if (!services.accounts) return c.json({ reviews: [] }, 200);
      const { person } = c.get("principal")!;
      const isVisible = await visibleProjects(c);
      const found: P.Review[] = [];
      for (const review of await reviewsOf().waiting()) {
        const record = isVisible(review.project) && (await store.projects.get(review.project));
        if (!record) continue;
        const shown = await toReview(review, record.name, person);
        if (shown.mayAnswer || shown.isOwn) found.push(shown);
      }
      return c.json({ reviews: found }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path,
      action: "project.view",
      summary: "Lists the project's requests, and what needs a second person in it.",
      request: { params: ProjectParams },
      responses: answers(ProjectReviews, "Without accounts, nothing does."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const name = await nameOf(id);
      if (!services.accounts) return c.json({ needed: [], standing: [], reviews: [] }, 200);
      const { person } = c.get("principal")!;
      const reviews = reviewsOf();
      const needed = await Promise.all(
        REVIEW_KINDS.map(async (kind) =>
          (await reviews.isNeeded(id, kind, person)) ? [kind] : [],
        ),
      );
      const all = (await reviews.ofProject(id)).map((one) => toReview(one, name, person));
      return c.json(
        {
          needed: needed.flat(),
          standing: await reviews.standing(id),
          reviews: await Promise.all(all),
        },
        200,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path,
      action: "project.request",
      summary:
        "Asks a second person. For `publish`, a release of the current files is made and held; exactly that is published once it is approved. An open request for the same is overtaken.",
      request: { params: ProjectParams, body: body(NewReview) },
      responses: created(Review, "The request."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const given = c.req.valid("json");
      const reviews = reviewsOf();
      const by = await authorOf(c, accountsOf(services));
      const projectName = await nameOf(id);
      const { kind, words } = given;
      const isListed = (await reviews.rules.kindsIn(id)).includes(kind);
      if (!isListed) throw new ApiFailure(409, "no-review", sentence("no-review"));
      await reviews.checkAnswerable(id, by.id);
      if (given.kind === "publish") {
        const review = reviews.newId();
        const isPublished = (project: string) => publications.liveAt(project) !== undefined;
        await services.accounts?.quotas.checkPublished(id, isPublished);
        const open = await reviews.findOpen(id, kind, []);
        // A project makes one release at a time, so an open request and its release end first.
        if (open?.state === "requested") await reviews.obsolete(open.id);
        await publications.publish(id, { name: given.name, review });
        const subject = await publications.describeReviewed(id, review);
        const made = await reviews.request({ id: review, project: id, kind, by, words, subject }, false); // prettier-ignore
        await publications.reportReviewed(id, review);
        return c.json(await toReview(await find(id, made.id), projectName, by.id), 201);
      }
      if (given.kind === "package") {
        const made = await accountsOf(services).packages.ask(id, given.name, by, words);
        return c.json(await toReview(made, projectName, by.id), 201);
      }
      const subject: P.ReviewSubject =
        given.kind === "host"
          ? { what: [readHost(given.host)] }
          : { what: await shownTrust(id, given.trust), trust: given.trust };
      const made = await reviews.request({ project: id, kind, by, words, subject }, true);
      return c.json(await toReview(made, projectName, by.id), 201);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{review}/answer`,
      action: "project.review",
      summary:
        "Approves or refuses a request of somebody else. What is approved is carried out at once; `always` also approves all later requests of its kind in the project.",
      request: {
        params: ReviewParams,
        body: body(
          z.discriminatedUnion("kind", [
            z.object({ kind: z.literal("approve"), always: z.boolean().optional() }),
            z.object({ kind: z.literal("refuse"), words: Words }),
          ]),
        ),
      },
      responses: answers(Review, "The request as it is now."),
    }),
    async (c) => {
      const { id, review } = c.req.valid("param");
      const given = c.req.valid("json");
      const by = await authorOf(c, accountsOf(services));
      const found = await find(id, review);
      if (given.kind === "approve") await reviewsOf().approve(found.id, by, given.always === true);
      else await reviewsOf().refuse(found.id, by, given.words);
      return c.json(await toReview(await find(id, review), await nameOf(id), by.id), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{review}/withdraw`,
      action: "project.request",
      summary: "Withdraws a request that one has made.",
      request: { params: ReviewParams },
      responses: answersOk,
    }),
    async (c) => {
      const { id, review } = c.req.valid("param");
      const found = await find(id, review);
      await reviewsOf().withdraw(found.id, await authorOf(c, accountsOf(services)));
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: `${path}/{review}/trial`,
      action: "project.review",
      summary:
        "Opens what would be published, with data of its own that is removed afterwards, for up to half an hour.",
      request: { params: ReviewParams },
      responses: answers(z.object({ address: z.string() }), "Where it can be tried."),
    }),
    async (c) => {
      const { id, review } = c.req.valid("param");
      const found = await find(id, review);
      const { capability } = await services.tryReviewed(id, found.id);
      const origin = services.previewOrigin(capability);
      const { previewPasses } = services;
      if (!previewPasses) return c.json({ address: `${origin}/` }, 200);
      const ticket = previewPasses.giveTicket(new URL(origin).host, sessionOf(c));
      return c.json({ address: enterAddress(origin, ticket, "/") }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: `/api/projects/{id}/standing-approvals/{kind}`,
      action: "project.review",
      summary: "Takes back that all requests of a kind are approved in the project.",
      request: { params: ProjectParams.extend({ kind: Kind }) },
      responses: answersOk,
    }),
    async (c) => {
      const { id, kind } = c.req.valid("param");
      await reviewsOf().endStanding(id, kind);
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/review-rules",
      action: "people.manage",
      summary: "What needs a second person in the projects of teams.",
      responses: answers(
        z.object({ rules: z.array(Rule) }),
        "Teams without a rule are not listed.",
      ),
    }),
    async (c) => c.json({ rules: await reviewsOf().rules.list() }, 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/review-rules/{team}",
      action: "people.manage",
      summary:
        "Sets what needs a second person in a team's projects. 409 `no-second-person` if in one of them only one person could answer.",
      request: {
        params: z.object({ team: z.string().max(100) }),
        body: body(Rule.pick({ kinds: true })),
      },
      responses: answersOk,
    }),
    async (c) => {
      const { team } = c.req.valid("param");
      const { members, reviews } = accountsOf(services);
      if (!(await members.teams()).some(({ id }) => id === team)) throw notFound("team");
      await reviews.rules.set({ team, kinds: c.req.valid("json").kinds });
      return c.json({ ok: true as const }, 200);
    },
  );
}

/** The person who sent the HTTP request. */
async function authorOf(c: Context, { people }: Accounts): Promise<P.Author> {
  const { person: id } = c.get("principal")!;
  return { id, name: (await people.get(id))?.name ?? id };
}

/**
 * Refuses an action of the requester that needs a second person.
 * @throws ApiFailure 409 `needs-review`
 */
export async function refuseIfReviewed(
  c: Context,
  { accounts }: Pick<Services, "accounts">,
  project: string,
  kind: P.ReviewKind,
): Promise<void> {
  await accounts?.reviews.checkDirect(project, kind, c.get("principal")!.person);
}
