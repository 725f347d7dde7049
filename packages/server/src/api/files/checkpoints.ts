import { toProjectPath } from "@treadle/protocol/project-path";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { checkPath, type Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { canRun } from "../../workspace/can-run.ts";
import { createRoute, answers, answersOk, body, ProjectParams } from "../describe.ts";
import { CheckpointInfo, FileDifference } from "../schemas.ts";
import type { Services } from "../services.ts";

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/, "That is not a checkpoint.");

export function checkpointRoutes(app: OpenAPIHono, { runtimes, keptData }: Services): void {
  const workspaceOf = async (id: string) => (await runtimes.get(id)).workspace();
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/checkpoints",
      action: "project.view",
      summary: "Lists the checkpoints that can be restored.",
      request: { params: ProjectParams },
      responses: answers(z.object({ checkpoints: z.array(CheckpointInfo) }), "The checkpoints."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const workspace = await workspaceOf(id);
      const has = keptData.has(id);
      const checkpoints = (await workspace.checkpoints()).map((one) => ({
        ...one,
        hasData: has.has(one.checkpoint) || undefined,
      }));
      return c.json({ checkpoints }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/restore",
      action: "project.edit",
      summary:
        "Restores the files of a checkpoint, and with `conversation` the conversation: later messages are hidden, and models no longer receive them. The current state is saved as a checkpoint first; `left` of the log's `restored` leads back to it.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            checkpoint: Name,
            conversation: z.boolean().optional(),
            data: z.boolean().optional().openapi({
              description:
                "The app's databases go back as well, to what they held then. 409 `no-data` where that was not kept; nothing is changed then.",
            }),
            head: z.string().max(200).optional().openapi({
              description:
                "With `conversation`: its last message from then on, empty for none. Absent: the one that it had when the checkpoint was kept.",
            }),
          }),
        ),
      },
      responses: answersOk,
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      await runtime.restore(c.req.valid("json"));
      return c.json({ ok: true as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/projects/{id}/checkpoints/{checkpoint}",
      action: "project.edit",
      summary:
        "Names a checkpoint, or removes its name (null). Named checkpoints are never thinned out.",
      request: {
        params: ProjectParams.extend({ checkpoint: Name }),
        body: body(z.object({ name: z.string().max(1000).nullable() })),
      },
      responses: answers(CheckpointInfo, "The checkpoint."),
    }),
    async (c) => {
      const { id, checkpoint } = c.req.valid("param");
      const runtime = await runtimes.get(id);
      return c.json(await runtime.history.name(checkpoint, c.req.valid("json").name), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/changes",
      action: "project.view",
      summary:
        "The differences between two checkpoints, or between one and the current files; of all files, or of one.",
      request: {
        params: ProjectParams,
        query: z.object({ from: Name, to: Name.optional(), path: z.string().min(1).optional() }),
      },
      responses: answers(z.object({ files: z.array(FileDifference) }), "The differences."),
    }),
    async (c) => {
      const { from, to, path } = c.req.valid("query");
      const workspace = await workspaceOf(c.req.valid("param").id);
      const file = path === undefined ? undefined : checkPath(path);
      return c.json({ files: await workspace.diff(from, to, file) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/server",
      action: "project.edit",
      summary: "Starts, restarts or stops the project's own server.",
      request: {
        params: ProjectParams,
        body: body(z.object({ action: z.enum(["start", "restart", "stop"]) })),
      },
      responses: answersOk,
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      const workspace = await runtime.workspace();
      if (c.req.valid("json").action === "stop") await workspace.stopServer();
      else {
        const command = await serverCommand(workspace, runtime.view.server?.command);
        // The start is reported in the log and not awaited.
        runtime.startServer(command);
      }
      return c.json({ ok: true as const }, 200);
    },
  );
}

/**
 * The command to start the project's server with: the last one if its files still exist, else the manifest's `dev`
 * or `start` script, else a static server for an `index.html`.
 * @throws ApiFailure 409 `no-server` if there is none of these
 */
async function serverCommand(workspace: Workspace, last: string | undefined): Promise<string> {
  if (last !== undefined && last !== "" && (await canRun(workspace, last))) return last;
  const manifest = await workspace.files.read(toProjectPath("package.json")).then(
    ({ bytes }) =>
      JSON.parse(new TextDecoder().decode(bytes)) as { scripts?: Record<string, string> },
    () => undefined,
  );
  const script = ["dev", "start"].find((name) => typeof manifest?.scripts?.[name] === "string");
  if (script) return script === "start" ? "npm start" : "npm run dev";
  // Like in the checks: static files that need no server of their own.
  const isPage = await workspace.files.read(toProjectPath("index.html")).then(
    () => true,
    () => false,
  );
  if (isPage) return "treadle-serve";
  throw new ApiFailure(409, "no-server", sentence("nothing-to-start"));
}
