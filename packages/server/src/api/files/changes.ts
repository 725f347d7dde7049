import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { checkPath, readNow, textOf, versionNow, type FileContent } from "@treadle/workspace";
import { SINGLE_BYTES, undoChange } from "../../changes/undo-change.ts";
import { notFound } from "@treadle/common";
import { createRoute, ProjectParams, answers, body, bytes, mayFail } from "../describe.ts";
import { rawHeaders } from "./file-types.ts";
import { FileDifference } from "../schemas.ts";
import type { Services } from "../services.ts";

/** Maximum number of changes of one file undone at a time. */
const HUNKS = 5_000;

const Checkpoint = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/, "That is not a checkpoint.");
const Path = z.string().min(1);

const Side = z
  .object({ version: z.string(), size: z.number(), text: z.string().optional() })
  .openapi("ChangedFileSide");
const Changed = z
  .object({
    difference: FileDifference.optional(),
    before: Side.optional(),
    after: Side.optional(),
    now: z.string().openapi({ description: "The file's version now; `absent` where it is gone." }),
  })
  .openapi("ChangedFile");
const Moment = z
  .object({
    checkpoint: z.string(),
    before: z.string().optional(),
    label: z.string(),
    at: z.number(),
    kind: z.enum(["added", "changed", "removed"]),
  })
  .openapi("FileMoment");
const Hunk = z.object({
  before: z.number().int().min(1),
  after: z.number().int().min(1),
  removed: z.array(z.string()),
  added: z.array(z.string()),
});

/** Routes that compare a file between checkpoints, list its history, and undo its changes. */
export function changeRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/changes/file",
      action: "project.view",
      summary: "One file at two checkpoints, or at one and now, with the diff.",
      request: {
        params: ProjectParams,
        query: z.object({ path: Path, from: Checkpoint, to: Checkpoint.optional() }),
      },
      responses: answers(Changed, "The file as it was and as it became."),
    }),
    async (c) => {
      const { from, to, path: written } = c.req.valid("query");
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      const path = checkPath(written);
      const now = await readNow(workspace, path);
      const before = await workspace.fileAt(from, path);
      const after = to === undefined ? now : await workspace.fileAt(to, path);
      const [difference] = await workspace.diff(from, to, path);
      return c.json(
        { difference, before: sideOf(before), after: sideOf(after), now: versionNow(now) },
        200,
      );
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/changes/history",
      action: "project.view",
      summary: "Lists the checkpoints in which a file changed, oldest first.",
      request: { params: ProjectParams, query: z.object({ path: Path }) },
      responses: answers(z.object({ moments: z.array(Moment) }), "The checkpoints."),
    }),
    async (c) => {
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      const moments = await workspace.fileHistory(checkPath(c.req.valid("query").path));
      return c.json({ moments }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/changes/raw",
      action: "project.view",
      summary: "The bytes of a file at a checkpoint.",
      request: { params: ProjectParams, query: z.object({ path: Path, at: Checkpoint }) },
      responses: {
        200: {
          description: "Its bytes, with the file's own type.",
          content: { "application/octet-stream": { schema: bytes } },
        },
        ...mayFail,
      },
    }),
    async (c) => {
      const { path: written, at } = c.req.valid("query");
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      const path = checkPath(written);
      const file = await workspace.fileAt(at, path);
      if (!file || file.link) throw notFound("file");
      return c.body(new Uint8Array(file.bytes), 200, {
        ...rawHeaders(path),
        // A checkpoint's content never changes.
        "cache-control": "private, max-age=86400",
      });
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/changes/undo",
      action: "project.edit",
      summary:
        "Undoes the changes of a file between two checkpoints, or between one and now: all of them, or the named ones. Writes only if the file still has `version`, and counts as the person's own edit.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            path: Path,
            from: Checkpoint,
            to: Checkpoint.optional(),
            version: z.string().min(1).max(80),
            hunks: z.array(Hunk).min(1).max(HUNKS).optional(),
          }),
        ),
      },
      responses: answers(
        z.object({ version: z.string(), kept: z.string() }),
        "The file's version now, and the checkpoint that has how it was.",
      ),
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      const asked = c.req.valid("json");
      return c.json(await undoChange(runtime, { ...asked, path: checkPath(asked.path) }), 200);
    },
  );
}

function sideOf(file: FileContent | undefined) {
  if (!file) return undefined;
  const size = file.bytes.byteLength;
  const text = size > SINGLE_BYTES ? undefined : textOf(file.bytes);
  return { version: file.version, size, text };
}
