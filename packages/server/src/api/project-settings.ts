import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { VERDICT_MODES } from "@treadle/protocol/evidence";
import { createRoute, answers, body, ProjectParams } from "./describe.ts";
import { Budget, ProjectSettings, SecretEnvironment } from "./schemas.ts";
import { readHost } from "../projects/project-settings.ts";
import { refuseIfReviewed } from "./reviews.ts";
import type { Services } from "./services.ts";
import type { Context } from "hono";

/** A host; the limit is above the length of any name with its port. */
const Host = z.string().trim().min(1).max(400);
/** A secret's value; the limit is above the length of any key. */
const Value = z.string().min(1).max(16_000);

const settingsAnswer = answers(ProjectSettings, "The settings as they are now. No value is in it.");

export function projectSettingsRoutes(app: OpenAPIHono, services: Services): void {
  const { settings } = services;
  /**
   * Refuses a host that the project does not reach yet, if that needs a second person.
   * @throws ApiFailure 409 `needs-review`
   */
  async function checkHost(c: Context, id: string, text: string | undefined): Promise<void> {
    if (text === undefined) return;
    const { hosts, secrets } = await settings.read(id);
    if (![...hosts, ...secrets.map(({ host }) => host)].includes(readHost(text)))
      await refuseIfReviewed(c, services, id, "host");
  }
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/settings",
      action: "project.view",
      summary:
        "Returns the hosts that the project may reach besides the registry, the names of its secrets, and its budget.",
      request: { params: ProjectParams },
      responses: settingsAnswer,
    }),
    async (c) => c.json(await settings.read(c.req.valid("param").id), 200),
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/settings/hosts",
      action: "project.configure",
      summary: "Allows the project to reach one more host, immediately.",
      request: { params: ProjectParams, body: body(z.object({ host: Host })) },
      responses: settingsAnswer,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { host } = c.req.valid("json");
      await checkHost(c, id, host);
      return c.json(await settings.allowHost(id, host), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/projects/{id}/settings/hosts/{host}",
      action: "project.configure",
      summary: "Removes a host from the list. Its open connections are closed immediately.",
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
      action: "project.configure",
      summary:
        "Saves a secret of the generated app, whose server receives it in its environment from the next start. A running published app is restarted with it without losing requests.",
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
      await checkHost(c, id, c.req.valid("json").host);
      return c.json(await settings.putSecret(id, { name, ...c.req.valid("json") }), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "put",
      path: "/api/projects/{id}/settings/budget",
      action: "project.configure",
      summary: "Sets the budget of a turn and of the whole project, from the next turn on.",
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
      action: "project.configure",
      summary:
        "Sets whether the checkpoint at the start of each turn includes the app's databases, so that they can be restored too: up to 64 MB in total, for the ten newest.",
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
      action: "project.configure",
      summary:
        "Sets how much a turn must prove, from the next turn on. thorough: if the app runs but not everything requested is proven by a check, the model is reminded once and may continue. quick: the turn ends at once.",
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
      action: "project.configure",
      summary:
        "Sets whether the public static hosts may be requested (default: yes), and whether the preview in the person's browser is restricted to the project's hosts (default: no). Absent values stay unchanged.",
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
      action: "project.configure",
      summary:
        "Sets where the project runs: in a sandbox on this machine (default), or in the browser tab with /tab/{id}, through @webcontainer/api.",
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
      action: "project.configure",
      summary: "Deletes a secret: that of one environment, or all of that name.",
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
