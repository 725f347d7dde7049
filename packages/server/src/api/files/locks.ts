import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ProjectPath } from "@treadle/protocol";
import { isUnder, movedPath, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { checkPath } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ProjectRuntime } from "../../runtime/types.ts";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

/** Maximum number of locks per project; a folder with its contents counts as one. */
const LOCKS = 200;

const Locks = z.object({ locks: z.array(z.string()) }).openapi("Locks");

/** Routes for the files and folders that the model must not change. */
export function lockRoutes(app: OpenAPIHono, { runtimes, store }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/locks",
      action: "project.view",
      summary: "Lists the files and folders that the model must not change.",
      request: { params: ProjectParams },
      responses: answers(Locks, "Their paths."),
    }),
    async (c) => {
      const { view } = await runtimes.get(c.req.valid("param").id);
      return c.json({ locks: [...(view.locks ?? [])] }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/locks",
      action: "project.edit",
      summary:
        "Locks or unlocks a file or folder, immediately and also for calls of an active turn.",
      request: {
        params: ProjectParams,
        body: body(z.object({ path: z.string().min(1), locked: z.boolean() })),
      },
      responses: answers(Locks, "As they stand."),
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      const { path: written, locked } = c.req.valid("json");
      const path = checkPath(written);
      if (path === PROJECT_FOLDER)
        throw new ApiFailure(400, "bad-path", sentence("lock-of-everything"));
      const others = (runtime.view.locks ?? []).filter((lock) => lock !== path);
      if (locked && others.length >= LOCKS)
        throw new ApiFailure(
          409,
          "too-many",
          sentence("limit-reached", { what: "locks", limit: LOCKS }),
        );
      leaveLocks(runtime, locked ? [...others, path].toSorted() : others);
      await store.log.settled();
      return c.json({ locks: [...(runtime.view.locks ?? [])] }, 200);
    },
  );
}

/** Logs a project's new locks if they differ from the current ones. */
export function leaveLocks({ view, append }: ProjectRuntime, locks: ProjectPath[]): void {
  if (locks.join("\0") !== (view.locks ?? []).join("\0")) append({ type: "locks-changed", locks });
}

/** The locks after the person has moved a file or folder: those on it and in it move along. */
export const locksAfterMove = (
  locks: readonly ProjectPath[] = [],
  from: ProjectPath,
  to: ProjectPath,
): ProjectPath[] =>
  locks.map((lock) => (isUnder(lock, from) ? movedPath(lock, from, to) : lock)).toSorted();
