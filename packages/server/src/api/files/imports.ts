import { Readable } from "node:stream";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { importChat } from "../../imports/import-chat.ts";
import { readChatExport } from "@treadle/bolt";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { importArchive } from "../../imports/import-archive.ts";
import { NAME_LIMIT, plainName } from "../../project-context/project-name.ts";
import { createRoute, created } from "../describe.ts";
import { CodedText } from "../schemas.ts";
import type { Services } from "../services.ts";

/** Maximum length of an exported chat, which is read into memory; counted in characters once it is decoded. */
const CHAT_BYTES = 64 * 1024 * 1024;

const ImportedChat = z.object({
  id: z.string(),
  name: z.string(),
  files: z.number(),
  notes: z.array(z.object({ text: z.string(), coded: CodedText.optional() })),
});

/** Routes that create projects from ZIP archives and from exported chats. */
export function importRoutes(app: OpenAPIHono, services: Services): void {
  const { store, projects, runtimes, folderOf } = services;
  const parts = {
    create: async (called: string) => (await projects.create({ name: called })).id,
    remove: (id: string) => projects.remove(id),
    workspace: async (id: string) => (await runtimes.get(id)).workspace(),
    folder: folderOf,
  };
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/import",
      action: "projects.create",
      summary:
        "Creates a project from a ZIP, without installed packages. Links, paths that lead outside, decompression bombs and encrypted files are refused; nothing is left behind then.",
      request: {
        query: z.object({ name: z.string().max(1_000).optional() }),
        body: { content: { "application/zip": { schema: z.string() } } },
      },
      responses: created(z.object({ id: z.string(), files: z.number() }), "The project."),
    }),
    async (c) => {
      const name = plainName(c.req.valid("query").name ?? "").slice(0, NAME_LIMIT);
      const imported = await importArchive(
        name || "Imported project",
        c.req.raw.body ?? Readable.from([]),
        parts,
      );
      return c.json(imported, 201);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/import/chat",
      action: "projects.create",
      summary:
        "Creates projects from exported chats of bolt.new or bolt.diy, with their files and messages. A failed one leaves nothing behind; earlier ones stay.",
      request: { body: { content: { "application/octet-stream": { schema: z.string() } } } },
      responses: created(z.object({ projects: z.array(ImportedChat) }), "The projects."),
    }),
    async (c) => {
      const chats = readChatExport(await textOf(c.req.raw.body ?? Readable.from([])));
      const imported: z.infer<typeof ImportedChat>[] = [];
      for (const chat of chats)
        imported.push(await importChat(store, chat, { ...parts, runtimes }));
      return c.json({ projects: imported }, 201);
    },
  );
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > CHAT_BYTES)
      throw new ApiFailure(
        413,
        "too-large",
        sentence("too-large", { what: "chat", limit: "64 MB" }),
      );
  }
  return text;
}
