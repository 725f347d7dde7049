import { setImmediate } from "node:timers/promises";
import type { ProjectPath } from "@treadle/protocol";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { shownPath } from "@treadle/agent";
import { checkPath, WorkspaceError, type Workspace } from "@treadle/workspace";
import { Zip, ZipDeflate } from "fflate";
import { notFound } from "../common/api-failure.ts";
import { attachment } from "./file-types.ts";
import { ProjectParams } from "./describe.ts";
import { createPortableNames, plainName } from "./portable-names.ts";
import type { Services } from "./services.ts";

/** Larger files are left out, and named in a note: they would have to be held whole. */
const FILE_BYTES = 64 * 1024 * 1024;
const FILES = 100_000;
/** Bytes that are packed at a time: some milliseconds. */
const PIECE = 256 * 1024;
/** Bytes that wait for a slow client before the next file is read. */
const WAITING_BYTES = 1024 * 1024;

export function exportRoutes(app: OpenAPIHono, { store, runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/export.zip",
      summary:
        "The project, or one folder of it, as a ZIP, without dependencies, and without .env files unless `secrets` says so.",
      request: {
        params: ProjectParams,
        query: z.object({
          under: z.string().optional(),
          secrets: z.enum(["true", "false"]).optional().openapi({
            description: "With `true` the .env files go along.",
          }),
        }),
      },
      responses: {
        200: {
          description: "The archive.",
          content: { "application/zip": { schema: z.string() } },
        },
      },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const record = await store.projects.get(id);
      if (!record) throw notFound("project");
      const workspace = await (await runtimes.of(id)).workspace();
      const { under: wanted = "", secrets } = c.req.valid("query");
      const under = checkPath(wanted);
      const named =
        under === PROJECT_FOLDER ? record.name : under.slice(under.lastIndexOf("/") + 1);
      const name = named.replace(/[/\\:*?"<>|]+/g, "-").trim() || "project";
      return c.body(zipOf(workspace, under, secrets === "true"), 200, {
        "content-type": "application/zip",
        "content-disposition": attachment(`${name}.zip`),
        "cache-control": "no-store",
      });
    },
  );
}

/** A generated app's own secrets stay; an example without values goes along. */
const isSecret = (path: string) =>
  /(^|\/)\.env(\.|$)/i.test(path) && !/\.(example|sample|template)$/i.test(path);

/** Whether it is the same path wherever the archive is unpacked: there are systems that part names at a backslash. */
function isPlain(path: string): boolean {
  try {
    return checkPath(path) === path;
  } catch {
    return false;
  }
}

/** The bytes of a file, or why there are none. A workspace that has ended ends the export. */
async function readFile(workspace: Workspace, path: ProjectPath): Promise<Uint8Array | string> {
  try {
    return (await workspace.files.read(path, { limit: FILE_BYTES })).bytes;
  } catch (error) {
    if (!(error instanceof WorkspaceError) || ["stopped", "sandbox"].includes(error.code))
      throw error;
    return error.message;
  }
}

/** Reads one file after the other, as fast as the client takes them. */
function zipOf(
  workspace: Workspace,
  under: ProjectPath,
  withSecrets: boolean,
): ReadableStream<Uint8Array> {
  let cancelled = false;
  let drained: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const zip = new Zip((error, chunk, final) => {
          if (error) return controller.error(error);
          controller.enqueue(chunk);
          if (final) controller.close();
        });
        const add = async (path: string, bytes: Uint8Array) => {
          const file = new ZipDeflate(path, { level: 6 });
          zip.add(file);
          for (let at = 0; at + PIECE < bytes.length; at += PIECE) {
            file.push(bytes.subarray(at, at + PIECE));
            // Packing is done where everybody's requests are: they come in between (A73).
            await setImmediate();
            await taken();
            if (cancelled) return;
          }
          file.push(bytes.subarray(Math.floor((bytes.length - 1) / PIECE) * PIECE), true);
        };
        const taken = async () => {
          if (!cancelled && (controller.desiredSize ?? 0) <= 0)
            await new Promise<void>((resolve) => (drained = resolve));
        };
        const fill = async () => {
          const { files, more } = await workspace.files.list({ under, limit: FILES });
          const left: string[] = [];
          const leave = (path: string, why: string) => left.push(`${shownPath(path)}: ${why}`);
          const names = createPortableNames();
          /** What is in the archive a second time, under names that every system holds. */
          const again = new Map<ProjectPath, string>();
          if (more) leave("", `more than ${FILES.toLocaleString("en")} files`);
          for (const { path, kind, size } of files) {
            if (kind === "folder") continue;
            if (kind !== "file") leave(path, "it is no file, but a link or the like");
            else if (!withSecrets && isSecret(path)) leave(path, "it may hold secrets");
            else if (!isPlain(path)) leave(path, "its name would lead elsewhere on another system");
            else if (size > FILE_BYTES) leave(path, "over 64 MB");
            else {
              const read = await readFile(workspace, path);
              if (typeof read === "string") leave(path, read);
              else {
                await add(path, read);
                const problem = names.problem(path);
                if (problem) again.set(path, problem.why);
                if (problem?.other !== undefined)
                  again.set(
                    problem.other as ProjectPath,
                    `where case does not count it is the same as ${shownPath(path)}`,
                  );
              }
            }
            await taken();
            if (cancelled) return zip.terminate();
          }
          const note = (name: string, words: string, lines: string[]) =>
            add(name, new TextEncoder().encode(`${words}\n${lines.join("\n")}\n`));
          if (again.size > 0) {
            const folder = names.free("OTHER-NAMES");
            const told: string[] = [];
            for (const [path, why] of again) {
              const name = plainName(path, told.length + 1);
              const read = await readFile(workspace, path);
              if (typeof read !== "string") await add(`${folder}/${name}`, read);
              told.push(`${name} is ${shownPath(path)}: ${why}`);
              await taken();
              if (cancelled) return zip.terminate();
            }
            await note(`${folder}/LIST.txt`, "Here once more, as not every system can hold their names:", told); // prettier-ignore
          }
          if (left.length > 0)
            await note(names.free("LEFT-OUT", ".txt"), "Left out, and why:", left);
          zip.end();
        };
        fill().catch((error: unknown) => controller.error(error));
      },
      pull() {
        drained?.();
        drained = undefined;
      },
      cancel() {
        cancelled = true;
        drained?.();
      },
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
