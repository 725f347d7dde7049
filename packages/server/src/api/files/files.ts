import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { FileBody as Body, ProjectPath } from "@treadle/protocol";
import {
  checkPath,
  textOf,
  WorkspaceError,
  type FileContent,
  type FileStream,
  type Workspace,
} from "@treadle/workspace";
import type { Context } from "hono";
import { PDF_HEADERS } from "../../access/headers.ts";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { databaseAtOnce } from "@treadle/app-database";
import { requires } from "../../access/requires.ts";
import {
  createRoute,
  ProjectParams,
  answers,
  answersOk,
  body,
  bytes,
  created,
} from "../describe.ts";
import { etag, expectedVersion, isKnown } from "./file-conditions.ts";
import { filePathOf } from "./file-path.ts";
import { permitFile } from "./secret-access.ts";
import { isPdf, rawHeaders } from "./file-types.ts";
import { leaveLocks, locksAfterMove } from "./locks.ts";
import { FileBody, FileInfo } from "../schemas.ts";
import type { Services } from "../services.ts";
import { streamBody } from "../stream-body.ts";

/** Maximum size of a text sent to an editor, in bytes. */
const TEXT_BYTES = 2 * 1024 * 1024;
/** Size from which on a file is streamed, in bytes. */
const WHOLE_BYTES = 4 * 1024 * 1024;
/**
 * Maximum size of a raw upload, in bytes. It is streamed, so this protects the disk and not the
 * memory.
 */
const UPLOAD_BYTES = 1024 * 1024 * 1024;
/**
 * Maximum number of listed files: as many as an imported repository may have, so that its file tree is complete.
 */
const LISTED = 100_000;
/**
 * A path has several segments, and a name may contain any character, including line breaks, which a
 * dot would not match.
 */
const FILE = "/api/projects/:id/files/:path{[\\s\\S]+}";

export function fileRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/files",
      action: "project.view",
      summary: "Lists the project's files, without dependencies and caches.",
      request: { params: ProjectParams },
      responses: answers(z.object({ files: z.array(FileInfo), more: z.boolean() }), "The files."),
    }),
    async (c) => {
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      return c.json(await workspace.files.list({ limit: LISTED }), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/files/rename",
      action: "project.edit",
      summary: "Renames or moves a file or folder.",
      request: {
        params: ProjectParams,
        body: body(z.object({ from: z.string().min(1), to: z.string().min(1) })),
      },
      responses: answersOk,
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      const { from, to } = c.req.valid("json");
      await (await runtime.personFiles()).rename(checkPath(from), checkPath(to));
      leaveLocks(runtime, locksAfterMove(runtime.view.locks, checkPath(from), checkPath(to)));
      return c.json({ ok: true as const }, 200);
    },
  );
  describeFileRoutes(app);

  app.get(FILE, requires("project.view"), async (c) => {
    const { path, workspace } = await target(c, "file");
    await permitFile(c, c.req.param("id")!, path);
    const isRaw = c.req.query("raw") !== undefined;
    const database = isRaw ? await databaseAtOnce(workspace, path) : undefined;
    if (database) return streamed(c, path, database, undefined);
    const content = await workspace.files
      .read(path, isRaw ? { limit: WHOLE_BYTES } : {})
      .catch((error: unknown) => {
        if (isRaw && error instanceof WorkspaceError && error.code === "too-large")
          return undefined;
        throw error;
      });
    const range = isRaw ? c.req.header("range") : undefined;
    if (!content) return streamed(c, path, await workspace.files.readStream(path), range);
    const headers = { etag: etag(content.version), "cache-control": "private, no-cache" };
    if (isKnown(c.req.header("if-none-match"), content.version)) return c.body(null, 304, headers);
    if (!isRaw) return c.json(bodyOf(path, content), 200, headers);
    const part = partOf(range, content.bytes.byteLength);
    const isShown = c.req.query("shown") !== undefined && isPdf(path, content.bytes);
    return c.body(
      new Uint8Array(part ? content.bytes.subarray(part.from, part.to) : content.bytes),
      part ? 206 : 200,
      { ...headers, ...(isShown ? PDF_HEADERS : rawHeaders(path)), ...part?.headers },
    );
  });

  app.put(FILE, requires("project.edit"), async (c) => {
    const { path, runtime } = await target(c, "file");
    const version = expectedVersion(c.req.header("if-match"), c.req.header("if-none-match"));
    const isUnseen = c.req.query("unseen") === "true";
    const files = await (isUnseen ? runtime.givenFiles() : runtime.personFiles());
    const content = isJson(c) ? await sentText(c) : uploaded(c);
    const written = await files.write(
      path,
      content,
      version === undefined ? {} : { ifVersion: version },
    );
    const answer = { path, version: written.version, size: written.size };
    return c.json(answer, written.created ? 201 : 200, { etag: etag(written.version) });
  });

  app.delete(FILE, requires("project.edit"), async (c) => {
    const { path, runtime, workspace } = await target(c, "any");
    const expected = c.req.header("if-match");
    const files = await runtime.personFiles();
    await files.remove(path, async () => {
      if (expected === undefined) return;
      const { version } = await workspace.files.read(path);
      if (!isKnown(expected, version))
        throw new WorkspaceError(
          "conflict",
          sentence("path-changed-not-removed", { path }),
          version,
        );
    });
    return c.json({ ok: true as const }, 200);
  });

  async function target(c: Context, named: "file" | "any") {
    const id = c.req.param("id") ?? "";
    const runtime = await runtimes.get(id);
    const workspace: Workspace = await runtime.workspace();
    return { path: filePathOf(c.req.url, id, named), runtime, workspace };
  }
}

function bodyOf(path: ProjectPath, { bytes, version }: FileContent): Body {
  const size = bytes.byteLength;
  // A file that is not UTF-8 is shown as binary, so that its bytes are never rewritten (F22).
  const text = textOf(bytes);
  const binary = text === undefined;
  return { path, version, size, binary, text: size > TEXT_BYTES ? undefined : text };
}

/**
 * Streams a large file or a range, at the client's pace. Has no ETag, since computing a version
 * would require reading it twice.
 */
async function streamed(
  c: Context,
  path: ProjectPath,
  { size, pieces, close }: FileStream,
  range: string | undefined,
): Promise<Response> {
  let part: Part | undefined;
  try {
    part = partOf(range, size);
  } catch (error) {
    await close();
    throw error;
  }
  const body = streamBody(bytesWithin(pieces, part ?? { from: 0, to: size }), close);
  return c.body(body, part ? 206 : 200, {
    ...rawHeaders(path),
    "accept-ranges": "bytes",
    "content-length": String(part ? part.to - part.from : size),
    ...part?.headers,
  });
}

/** Extracts a byte range from a sequence of pieces. Bytes before the range are read and dropped. */
async function* bytesWithin(
  pieces: AsyncIterable<Uint8Array>,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  for await (const piece of pieces) {
    const slice = piece.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += piece.length;
    if (slice.length > 0) yield slice;
    if (at >= to) return;
  }
}

interface Part {
  from: number;
  /** The end of the range, exclusive. */
  to: number;
  headers: Record<string, string>;
}

/**
 * The requested range of a file; undefined for the complete file or several ranges, which are not supported.
 * @throws ApiFailure 416 if the file ends before it
 */
function partOf(range: string | undefined, size: number): Part | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{1,15})?-(\d{1,15})?$/.exec(range ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (from >= to) throw new ApiFailure(416, "range", sentence("range-invalid", { size }));
  return { from, to, headers: { "content-range": `bytes ${from}-${to - 1}/${size}` } };
}

const isJson = (c: Context) =>
  c.req.header("content-type")?.startsWith("application/json") ?? false;

async function sentText(c: Context): Promise<string> {
  const parsed: unknown = await c.req.json().catch(() => undefined);
  const text = (parsed as { text?: unknown } | undefined)?.text;
  if (typeof text !== "string")
    throw new ApiFailure(
      400,
      "bad-input",
      sentence("input-invalid", { why: 'the body has to be JSON with the file\'s "text"' }),
    );
  return text;
}

/** Streams the body. The limit counts the received bytes, whatever length was declared. */
async function* uploaded(c: Context): AsyncGenerator<Uint8Array> {
  const refuse = () => {
    throw new ApiFailure(413, "too-large", sentence("too-large", { what: "file", limit: "1 GB" }));
  };
  if (Number(c.req.header("content-length") ?? 0) > UPLOAD_BYTES) refuse();
  let taken = 0;
  for await (const piece of c.req.raw.body ?? []) {
    taken += piece.byteLength;
    if (taken > UPLOAD_BYTES) refuse();
    yield piece;
  }
}

/**
 * Documents the routes whose path has several segments, which the router's own descriptions do not
 * support.
 */
function describeFileRoutes(app: OpenAPIHono): void {
  const params = ProjectParams.extend({ path: z.string() });
  const Written = FileBody.pick({ path: true, version: true, size: true });
  const path = "/api/projects/{id}/files/{path}";
  app.openAPIRegistry.registerPath({
    method: "get",
    path,
    summary:
      "A file's text and version, or with `raw` its bytes. A PDF can also be requested with `shown`, for the browser's own viewer.",
    request: {
      params,
      query: z.object({ raw: z.string().optional(), shown: z.string().optional() }),
      headers: z.object({
        "if-none-match": z.string().optional().openapi({
          description: "The known version; the answer is 304 if it is still current.",
        }),
        range: z
          .string()
          .optional()
          .openapi({ description: "With `raw`: one range of bytes, which 206 answers." }),
      }),
    },
    responses: {
      // Bytes are sent with the same type as text, so that readers of text need not distinguish two types.
      ...answers(FileBody, "The file, its version as ETag as well; with `raw` its bytes alone."),
      304: { description: "Unchanged." },
    },
  });
  app.openAPIRegistry.registerPath({
    method: "put",
    path,
    summary:
      "Writes a file with the version in If-Match, or a new one with If-None-Match: *. Otherwise 409 with the current version.",
    request: {
      params,
      headers: z.object({
        "if-match": z.string().optional().openapi({
          description: "The version that the file must have.",
        }),
        "if-none-match": z.literal("*").optional().openapi({
          description: "The file must not exist yet.",
        }),
      }),
      query: z.object({
        unseen: z.enum(["true", "false"]).optional().openapi({
          description:
            "With `true` the person has not read the file as a whole: nothing that other programs obey is agreed to with it.",
        }),
      }),
      body: {
        content: {
          "application/json": { schema: z.object({ text: z.string() }) },
          "application/octet-stream": { schema: bytes },
        },
      },
    },
    responses: { ...answers(Written, "Written."), ...created(Written, "Written, and new.") },
  });
  app.openAPIRegistry.registerPath({
    method: "delete",
    path,
    summary: "Removes a file or folder. 409 if its version differs from If-Match.",
    request: {
      params,
      headers: z.object({
        "if-match": z.string().optional().openapi({
          description: "The version that the file must have.",
        }),
      }),
    },
    responses: answersOk,
  });
}
