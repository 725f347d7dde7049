import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { VERDICT_MODES } from "@treadle/protocol/evidence";
import { answers, body, ProjectParams } from "./describe.ts";
import { Budget, ProjectSettings, SecretEnvironment } from "./schemas.ts";
import type { Services } from "./services.ts";

/** Longer than any name of a host with its port. */
const Host = z.string().trim().min(1).max(400);
/** Longer than any key there is. */
const Value = z.string().min(1).max(16_000);

const settingsAnswer = answers(ProjectSettings, "The settings as they are now. No value is in it.");

export function projectSettingsRoutes(app: OpenAPIHono, { settings }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/settings",
      summary:
        "Hosts that the project may reach besides the registry, the names of its secrets, and its budget.",
      request: { params: ProjectParams },
      responses: settingsAnswer,
    }),
    async (c) => c.json(await settings.read(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/settings/hosts",
      summary: "Allows the project one more host. It holds at once.",
      request: { params: ProjectParams, body: body(z.object({ host: Host })) },
      responses: settingsAnswer,
    }),
    async (c) =>
      c.json(await settings.allowHost(c.req.valid("param").id, c.req.valid("json").host), 200),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/settings/hosts/{host}",
      summary: "Allows a host no more. What goes there is cut off at once.",
      request: { params: ProjectParams.extend({ host: Host }) },
      responses: settingsAnswer,
    }),
    async (c) => {
      const { id, host } = c.req.valid("param");
      return c.json(await settings.removeHost(id, host), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/secrets/{name}",
      summary:
        "Keeps a secret of the generated app: its server has it in its environment from the next start. A published app that runs is started again with it; no request of it is lost.",
      request: {
        params: ProjectParams.extend({ name: z.string().max(200) }),
        body: body(
          z.object({
            value: Value,
            host: Host.optional().openapi({
              description:
                "The host that it is for, which the app may then reach. Absent: as before, else for none.",
            }),
            environment: SecretEnvironment.default("both").openapi({
              description:
                "Who has it. One for an environment alone comes before the one of that name for both, which takes the place of all of that name.",
            }),
          }),
        ),
      },
      responses: settingsAnswer,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      return c.json(await settings.putSecret(id, { name, ...c.req.valid("json") }), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/budget",
      summary: "What a turn and the whole project may use. It holds from the next turn on.",
      request: { params: ProjectParams, body: body(Budget) },
      responses: settingsAnswer,
    }),
    async (c) =>
      c.json(await settings.setBudget(c.req.valid("param").id, c.req.valid("json")), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/data",
      summary:
        "Whether what the app's databases hold is kept with the checkpoint that each turn begins from, so that going back can put it back as well: up to 64 MB together, with the ten newest.",
      request: {
        params: ProjectParams,
        body: body(z.object({ keepsData: z.boolean() })),
      },
      responses: settingsAnswer,
    }),
    async (c) =>
      c.json(
        await settings.setKeepsData(c.req.valid("param").id, c.req.valid("json").keepsData),
        200,
      ),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/verdicts",
      summary:
        "How much a turn has to prove. thorough: where the app runs and not all that was asked for is shown by a check, the model is told once and may go on. quick: the turn ends at once. It holds from the next turn on.",
      request: {
        params: ProjectParams,
        body: body(z.object({ verdicts: z.enum(VERDICT_MODES) })),
      },
      responses: settingsAnswer,
    }),
    async (c) =>
      c.json(
        await settings.setVerdicts(c.req.valid("param").id, c.req.valid("json").verdicts),
        200,
      ),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/reach",
      summary:
        "Whether the public static hosts may be asked (default: yes), and whether the preview in the person's own browser is held to the project's hosts (default: no). What is absent stays.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({ staticHosts: z.boolean().optional(), limitPreview: z.boolean().optional() }),
        ),
      },
      responses: settingsAnswer,
    }),
    async (c) => c.json(await settings.setReach(c.req.valid("param").id, c.req.valid("json")), 200),
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/runs-in",
      summary:
        "Where the project runs: in a sandbox of this machine (default), or in the tab of the person who has /tab/{id} open, through @webcontainer/api.",
      request: {
        params: ProjectParams,
        body: body(z.object({ runsIn: z.enum(["machine", "tab"]) })),
      },
      responses: settingsAnswer,
    }),
    async (c) =>
      c.json(await settings.setRunsIn(c.req.valid("param").id, c.req.valid("json").runsIn), 200),
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/settings/secrets/{name}",
      summary: "Forgets a secret: that of one environment, else all of that name.",
      request: {
        params: ProjectParams.extend({ name: z.string().max(200) }),
        query: z.object({ environment: SecretEnvironment.optional() }),
      },
      responses: settingsAnswer,
    }),
    async (c) => {
      const { id, name } = c.req.valid("param");
      const { environment } = c.req.valid("query");
      return c.json(await settings.removeSecret(id, name, environment), 200);
    },
  );
}
