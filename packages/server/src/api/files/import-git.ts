import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { checkBranch, gitLogins, keepGitState, loginHost, readGitAddress } from "@treadle/git";
import { importRepository } from "../../imports/import-repository.ts";
import { NAME_LIMIT, plainName } from "../../project-context/project-name.ts";
import { createRoute, body, mayFail } from "../describe.ts";
import { answerFor } from "../failures.ts";
import { GitLogin } from "../git/git-schemas.ts";
import type { Services } from "../services.ts";

/** The route that creates a project from a git repository, and streams its progress as JSON lines. */
export function importGitRoutes(app: OpenAPIHono, services: Services): void {
  const { store, projects, runtimes, folderOf, dataDirectory } = services;
  const logins = gitLogins(store, dataDirectory);
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/import/git",
      action: "projects.create",
      summary:
        "Creates a project from a git repository, over https or ssh. Answers with JSON lines: `{doing, percent}` during the download, then `{id, files, branch, notes}` or `{error}`. Disconnecting stops it and leaves nothing behind.",
      request: {
        body: body(
          z.object({
            url: z.string().max(2_000),
            branch: z.string().max(200).optional(),
            name: z.string().max(1_000).optional(),
            login: GitLogin.optional(),
            local: z.boolean().optional().openapi({
              description: "Allows an address of this machine or its network.",
            }),
          }),
        ),
      },
      responses: {
        200: {
          description: "Progress and the result, as JSON lines.",
          content: { "application/x-ndjson": { schema: z.string() } },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const { url, branch, name = "", login, local = false } = c.req.valid("json");
      const address = readGitAddress(url);
      if (branch !== undefined) checkBranch(branch);
      const remote = await logins.remoteOf(address, local, login);
      const stop = new AbortController();
      const lineOf = (line: object) => new TextEncoder().encode(`${JSON.stringify(line)}\n`);
      const lines = new ReadableStream<Uint8Array>({
        async start(controller) {
          let last = "";
          try {
            const imported = await importRepository(
              { remote, branch, name: plainName(name).slice(0, NAME_LIMIT) || undefined },
              {
                create: async (called) => (await projects.create({ name: called })).id,
                remove: (id) => projects.remove(id),
                workspace: async (id) => (await runtimes.get(id)).workspace(),
                folder: folderOf,
                saveState: (id, state) => keepGitState(store, id, state),
                signal: stop.signal,
                onProgress(progress) {
                  const now = JSON.stringify(progress);
                  if (now === last || stop.signal.aborted) return;
                  last = now;
                  controller.enqueue(lineOf(progress));
                },
              },
            );
            // A login that works is stored.
            if (remote.login) await logins.put(loginHost(address), remote.login);
            controller.enqueue(lineOf(imported));
          } catch (error) {
            if (stop.signal.aborted) return;
            const answer = answerFor(error, () => undefined);
            controller.enqueue(
              lineOf({ ...((await answer.json()) as object), status: answer.status }),
            );
          }
          controller.close();
        },
        cancel: () => stop.abort(),
      });
      // The library has no response type for streamed lines.
      return c.body(lines, 200, {
        "content-type": "application/x-ndjson",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      }) as never;
    },
  );
}
