import { forProject } from "../common/concerned-project.ts";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";

import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import type { ToolServer } from "@treadle/mcp-server";
import type { Authority } from "@treadle/accounts";
import { permit, requiredActions, requires } from "../access/requires.ts";
import { guardRoutes } from "../access/guard-routes.ts";
import { isTabPage, TAB_HEADERS } from "../access/headers.ts";
import type { AccessOptions } from "../access/check-access.ts";
import { approvalRoutes } from "./conversation/approvals.ts";
import { todoRoutes } from "./conversation/todo.ts";
import { buildResultRoutes } from "./conversation/build-result.ts";
import { callRoutes } from "./calls.ts";
import { CHAT_PATH, chatAnswerFor } from "./conversation/chat-failure.ts";
import { chatRoutes } from "./conversation/chat.ts";
import { checkpointRoutes } from "./files/checkpoints.ts";
import { comparisonRoutes } from "./conversation/comparisons.ts";
import { commentRoutes } from "./conversation/comments.ts";
import { conversationRoutes } from "./conversation/conversation.ts";
import { completionRoutes } from "./conversation/completions.ts";
import { enhancerRoutes } from "./conversation/enhancer.ts";
import { eventRoutes } from "./conversation/events.ts";
import { exportRoutes } from "./files/export.ts";
import { answerFor } from "./failures.ts";
import { appRequestRoutes } from "./apps/app-requests.ts";
import { changeRoutes } from "./files/changes.ts";
import { fileRoutes } from "./files/files.ts";
import { gitRoutes } from "./git/git.ts";
import { importGitRoutes } from "./files/import-git.ts";
import { importRoutes } from "./files/imports.ts";
import type { LiveAccess } from "../access/live-access.ts";
import { auditing } from "./accounts/auditing.ts";
import { enterRoutes } from "./accounts/enter-page.ts";
import { accessLinkRoutes } from "./accounts/access-links.ts";
import { memberRoutes } from "./accounts/members.ts";
import { meRoutes } from "./accounts/me.ts";
import { ownAccountRoutes } from "./accounts/own-account.ts";
import { auditRoutes } from "./accounts/audit.ts";
import { modelRuleRoutes } from "./accounts/model-rules.ts";
import { reviewRoutes } from "./reviews.ts";
import { quotaRoutes } from "./accounts/quotas.ts";
import { spendingRoutes } from "./accounts/spending.ts";
import { peopleRoutes } from "./accounts/people.ts";
import { passkeyRoutes } from "./accounts/passkeys.ts";
import { secondFactorRoutes } from "./accounts/second-factor.ts";
import { deviceRoutes } from "./accounts/device.ts";
import { providerRoutes } from "./accounts/provider.ts";
import { signInRoutes } from "./accounts/sign-in.ts";
import { healthRoutes, answerProbes } from "./health.ts";
import { parallelRoutes } from "./conversation/parallel.ts";
import { pictureRoutes } from "./conversation/pictures.ts";
import { ruleRoutes } from "./setup/rules.ts";
import { skillRoutes } from "./setup/skills.ts";
import { machineRoutes } from "./setup/machine.ts";
import { formatRoutes } from "./files/format.ts";
import { lockRoutes } from "./files/locks.ts";
import { mcpRoutes } from "./setup/mcp.ts";
import { modelRoutes } from "./setup/models.ts";
import { notificationRoutes } from "./setup/notifications.ts";
import { databaseFileRoutes } from "./apps/database-files.ts";
import { databaseRoutes } from "./apps/databases.ts";
import { designRoutes } from "./files/design.ts";
import { elsewhereRoutes } from "./apps/elsewhere.ts";
import { publicationRoutes } from "./apps/publications.ts";
import { publicationOperationRoutes } from "./apps/publication-operations.ts";
import { previewPassRoutes } from "./preview-passes.ts";
import { projectRoutes } from "./projects.ts";
import { projectSettingsRoutes } from "./project-settings.ts";
import { searchEverywhereRoutes } from "./search-everywhere.ts";
import { searchRoutes } from "./search.ts";
import { shareRoutes } from "./apps/shares.ts";
import { terminalRoutes } from "./apps/terminals.ts";
import { ticketRoutes } from "./tickets.ts";
import { terminalStreamRoutes } from "./apps/terminal-streams.ts";
import { transcriptRoutes } from "./conversation/transcripts.ts";
import { VERSION } from "@treadle/common/version";
import { watchRequests, type LoggedRequest } from "./watch-requests.ts";
import type { Services } from "./services.ts";

/**
 * Maximum size of a JSON body, in bytes; a message has its own lower limit with a specific error.
 */
const BODY_BYTES = 4 * 1024 * 1024;
/** Maximum size of a message with all its pictures in base64, in bytes. */
const MESSAGE_BYTES = 32 * 1024 * 1024;
/**
 * Maximum size of a file's text as escaped JSON, in bytes. Raw uploads are streamed and have
 * another limit.
 */
const FILE_BODY_BYTES = 40 * 1024 * 1024;

/** Routes with a streamed body and their own limit. */
const STREAMED =
  /^(?:PUT \/api\/projects\/[^/]+\/(?:files\/|databases\/content$)|POST \/api\/import(?:\/log)?$)/;

export interface AppOptions {
  services: Services;
  access(): AccessOptions;
  authority: Authority;
  /** Ends open connections of people whose access ends; undefined without accounts. */
  live?: LiveAccess | undefined;
  /** Serves the page at every other address; undefined if there is no page. */
  page: ((request: Request) => Promise<Response>) | undefined;
  /** Treadle as a tool server, over HTTP. */
  toolServer: Pick<ToolServer, "answeringBy">;
  onNotice(text: string): void;
  /** Called for each answered request; undefined: requests are not watched. */
  onRequest?: ((request: LoggedRequest) => void) | undefined;
}

/**
 * Whether a write request has no body. Requests over a socket tell that by their headers; requests within the
 * process by their `body`.
 */
const hasNoBody = ({ req, env }: Context): boolean =>
  "incoming" in ((env ?? {}) as object)
    ? req.header("transfer-encoding") === undefined &&
      Number(req.header("content-length") ?? 0) === 0
    : req.raw.body === null;

/** Creates the routes of Treadle's own host. */
export function createApp({
  services,
  page,
  toolServer,
  onNotice,
  ...options
}: AppOptions): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook(result) {
      if (result.success) return;
      const issue = result.error.issues[0];
      const where = issue?.path.join(".");
      const reason = (issue?.message ?? "not valid").replace(/\.$/, "");
      const why = where ? `“${where}”: ${reason}` : reason;
      throw new ApiFailure(400, "bad-input", sentence("input-invalid", { why }));
    },
  });
  const answer = ({ req }: Context, error: unknown) =>
    (req.path === CHAT_PATH && req.method === "POST" ? chatAnswerFor : answerFor)(error, onNotice);
  app.onError((error, c) => answer(c, error));
  app.notFound(() => answerFor(notFound("address"), onNotice));
  if (options.onRequest) app.use(watchRequests(options.onRequest));
  answerProbes(app, services);
  app.use(async (c, next) => {
    c.set("authority", options.authority);
    c.set("live", options.live);
    if (services.accounts) c.set("audit", auditing(services.accounts, onNotice));
    c.set("hasProject", services.runtimes.has);
    c.set("holderOfComparison", services.comparisons.holderOf);
    await next();
  });
  app.use(guardRoutes(options.access));
  app.use("/api/*", async (c, next) => {
    await next();
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
    // A HEAD request leaves the body unread, so its source is released (A94).
    if (c.req.method === "HEAD") await c.res.body?.cancel().catch(() => undefined);
  });
  const tooLarge = (c: Context) =>
    answer(c, new ApiFailure(413, "too-large", sentence("body-too-large")));
  const fileLimit = bodyLimit({ maxSize: FILE_BODY_BYTES, onError: tooLarge });
  app.use("/api/projects/:id/*", (c, next) => forProject(c.req.param("id"), next));
  app.use("/api/projects/:id/files/*", async (c, next) =>
    c.req.header("content-type")?.startsWith("application/json") ? fileLimit(c, next) : next(),
  );
  app.use("/api/*", async (c, next) =>
    STREAMED.test(`${c.req.method} ${c.req.path}`)
      ? next()
      : bodyLimit({
          maxSize: /^\/api\/(?:chat|comparisons|projects(?:\/[^/]+\/(?:messages|parallel))?)$/.test(
            c.req.path,
          )
            ? MESSAGE_BYTES
            : BODY_BYTES,
          onError: tooLarge,
        })(c, next),
  );

  // Clients with a fixed header declare JSON even for an empty body, which counts as `{}`.
  app.use("/api/*", (c, next) => {
    if (c.req.header("content-type")?.startsWith("application/json") && hasNoBody(c))
      Object.assign(c.req.bodyCache, { text: Promise.resolve("{}") });
    return next();
  });

  healthRoutes(app, services);
  meRoutes(app, services);
  signInRoutes(app, services);
  providerRoutes(app, services);
  deviceRoutes(app, services);
  passkeyRoutes(app, services);
  secondFactorRoutes(app, services);
  ownAccountRoutes(app, services);
  peopleRoutes(app, services);
  auditRoutes(app, services);
  spendingRoutes(app, services);
  modelRuleRoutes(app, services);
  quotaRoutes(app, services);
  reviewRoutes(app, services);
  memberRoutes(app, services);
  accessLinkRoutes(app, services);
  enterRoutes(app, services);
  modelRoutes(app, services);
  notificationRoutes(app, services);
  projectRoutes(app, services);
  previewPassRoutes(app, services);
  projectSettingsRoutes(app, services);
  conversationRoutes(app, services);
  commentRoutes(app, services);
  comparisonRoutes(app, services);
  parallelRoutes(app, services);
  publicationRoutes(app, services);
  publicationOperationRoutes(app, services);
  elsewhereRoutes(app, services);
  shareRoutes(app, services);
  databaseRoutes(app, services);
  databaseFileRoutes(app, services);
  approvalRoutes(app, services);
  mcpRoutes(app, services);
  todoRoutes(app, services);
  pictureRoutes(app, services);
  ruleRoutes(app, services);
  skillRoutes(app, services);
  machineRoutes(app, services);
  ticketRoutes(app, services);
  eventRoutes(app, services);
  callRoutes(app, services);
  fileRoutes(app, services);
  checkpointRoutes(app, services);
  appRequestRoutes(app, services);
  changeRoutes(app, services);
  designRoutes(app, services);
  exportRoutes(app, services);
  importRoutes(app, services);
  importGitRoutes(app, services);
  transcriptRoutes(app, services);
  gitRoutes(app, services);
  formatRoutes(app, services);
  lockRoutes(app, services);
  searchRoutes(app, services);
  searchEverywhereRoutes(app, services);
  terminalRoutes(app, services);
  terminalStreamRoutes(app, services);
  buildResultRoutes(app, services);
  enhancerRoutes(app, services);
  completionRoutes(app, services);
  chatRoutes(app, services);
  app.get("/api/openapi.json", requires("server.view"), (c) =>
    c.json(
      app.getOpenAPIDocument({
        openapi: "3.0.3",
        info: {
          title: "Treadle",
          version: VERSION,
          description:
            "Every route checks Host, Origin and a sign-in: the page's cookie, or Authorization: Bearer.",
        },
      }),
    ),
  );
  app.all("/api/*", () => answerFor(notFound("address"), onNotice));
  const answerTools = toolServer.answeringBy(async (request) => app.fetch(request));
  // Each tool sends its requests to the routes with the credentials of its caller.
  app.all(
    "/mcp",
    requires("server.view"),
    bodyLimit({ maxSize: BODY_BYTES, onError: tooLarge }),
    (c) => answerTools(c.req.raw),
  );
  // A sleeping project wakes while the page is still loading.
  app.use("/p/:id", async (c, next) => {
    const project = c.req.param("id");
    permit(c, "project.view", { project })
      .then(() => services.runtimes.get(project))
      .then((runtime) => runtime.wake())
      .catch(() => undefined);
    await next();
  });
  if (page)
    app.get("*", requires("page.open"), async (c) => {
      const response = await page(c.req.raw);
      if (isTabPage(c.req.path))
        for (const [name, value] of Object.entries(TAB_HEADERS)) response.headers.set(name, value);
      return response;
    });
  checkDeclared(app);
  return app;
}

/** Checks that each route declares who may use it. @throws Error if one does not; the server must not start then */
export function checkDeclared({ routes }: OpenAPIHono): void {
  const declared = new Set(
    routes
      .filter(({ handler }) => requiredActions(handler))
      .map(({ method, path }) => `${method} ${path}`),
  );
  const missing = routes.find(
    ({ method, path }) => method !== "ALL" && !declared.has(`${method} ${path}`),
  );
  if (missing) throw new Error(`${missing.method} ${missing.path} does not declare its action.`);
}
