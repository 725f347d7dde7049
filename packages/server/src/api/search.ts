import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { WorkspaceError } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { createRoute, answers, body, ProjectParams } from "./describe.ts";
import type { Services } from "./services.ts";
import { readableBy } from "./files/secret-access.ts";

/** Maximum number of lines per search. */
const LINES = 2_000;
/** Maximum length of a search text, and of a glob, in characters. */
const PATTERN = 1_000;

const Glob = z.string().min(1).max(PATTERN).optional();
const Match = z
  .object({ path: z.string(), line: z.number(), text: z.string() })
  .openapi("SearchMatch");

/** The route that searches the lines of a project's files. */
export function searchRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/search",
      action: "project.view",
      summary:
        "Finds lines with a text or matching a regular expression in the listed files. Returns the first 500 characters of each.",
      request: {
        params: ProjectParams,
        body: body(
          z.object({
            pattern: z.string().min(1).max(PATTERN),
            regex: z.boolean().optional(),
            caseSensitive: z.boolean().optional(),
            glob: Glob,
            leaveOut: Glob,
            limit: z.number().int().min(1).max(LINES).optional(),
          }),
        ),
      },
      responses: answers(
        z.object({ matches: z.array(Match), more: z.boolean() }),
        "The lines, by file; whether there are more of them.",
      ),
    }),
    async (c) => {
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      const { limit = LINES, ...query } = c.req.valid("json");
      try {
        const { matches, more } = await workspace.files.search({ ...query, limit });
        const found = await readableBy(c, matches);
        return c.json({ matches: found, more }, 200);
      } catch (error) {
        // A pattern that cannot be searched for is an error of the request, not of the server.
        if (error instanceof WorkspaceError && error.code === "failed")
          throw new ApiFailure(
            400,
            "bad-search",
            sentence("search-invalid", { why: error.message }),
          );
        throw error;
      }
    },
  );
}
