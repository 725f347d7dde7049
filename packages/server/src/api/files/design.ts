import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import { proposeDesign } from "../../design/propose-design.ts";
import { changeDesign, readDesign } from "../../design/change-design.ts";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import { CodedText } from "../schemas.ts";
import type { Services } from "../services.ts";

/** Maximum length of a token file, in characters. */
const MAX_FILE_CHARS = 2 * 1024 * 1024;
/** Maximum number of values written at a time. */
const MAX_EDITS = 500;

const Path = z.string() as unknown as z.ZodType<P.ProjectPath>;
const TokenGroup = z.enum(["colour", "type", "spacing", "radius", "other"]);
const Design = z
  .object({
    tokens: z.array(
      z.object({
        name: z.string(),
        group: TokenGroup,
        values: z.record(z.string(), z.string()).openapi({
          description: "The value as written, by the mode's id.",
        }),
        aliasOf: z.string().optional(),
        channels: z.string().optional(),
        on: z.string().optional().openapi({
          description: "For a colour of text: the token of the background that it is read on.",
        }),
      }),
    ),
    modes: z.array(z.object({ id: z.string(), kind: z.enum(["base", "system", "selector"]) })),
    files: z.array(z.object({ path: Path, version: z.string() })),
    stylesheet: Path.optional(),
  })
  .openapi("ProjectDesign") satisfies z.ZodType<P.ProjectDesign>;

const Edit = z
  .object({
    name: z.string().min(1).max(200),
    mode: z.string().min(1).max(400),
    value: z.string().min(1).max(400),
  })
  .openapi("TokenEdit") satisfies z.ZodType<P.TokenEdit>;

const Proposal = z
  .object({
    tokens: z.array(
      z.object({
        name: z.string(),
        group: TokenGroup,
        values: z.object({ base: z.string(), dark: z.string().optional() }),
      }),
    ),
    problems: z.array(z.object({ text: z.string(), coded: CodedText.optional() })),
  })
  .openapi("DesignProposal") satisfies z.ZodType<P.DesignProposal>;

const Source = z.union([
  z.strictObject({ project: z.string().min(1).max(200) }),
  z.strictObject({ address: z.string().min(1).max(2_000) }),
  z.strictObject({ tokens: z.string().min(1).max(MAX_FILE_CHARS) }),
]);

/** Routes for a project's design tokens. */
export function designRoutes(app: OpenAPIHono, services: Services): void {
  const { runtimes } = services;
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/design",
      action: "project.view",
      summary:
        "The project's design tokens: the custom properties that its style sheets set for the whole page.",
      request: { params: ProjectParams },
      responses: answers(Design, "The tokens, with their values in each mode."),
    }),
    async (c) => c.json(await readDesign(await runtimes.get(c.req.valid("param").id)), 200),
  );
  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/projects/{id}/design",
      action: "project.edit",
      summary:
        "Writes values of design tokens as the person's own edit, all or none, with one checkpoint. A name that is not set in a mode is added there; in a project without tokens, a new file is imported by its style sheet.",
      request: {
        params: ProjectParams,
        body: body(z.object({ edits: z.array(Edit).min(1).max(MAX_EDITS) })),
      },
      responses: answers(
        z.object({
          design: Design,
          before: z.string().openapi({ description: "A checkpoint of the files before." }),
          written: z.array(z.object({ path: Path, version: z.string() })),
        }),
        "The tokens now.",
      ),
    }),
    async (c) => {
      const runtime = await runtimes.get(c.req.valid("param").id);
      return c.json(await changeDesign(runtime, c.req.valid("json").edits), 200);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/design/proposals",
      action: "project.edit",
      summary:
        "Reads tokens that could be taken over: of another project, of a file in the Design Tokens format or of Tokens Studio, or of the look of the page at an address. Nothing is written.",
      request: { params: ProjectParams, body: body(Source) },
      responses: answers(Proposal, "The tokens, and what of the source was left out."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { signal } = c.req.raw;
      return c.json(await proposeDesign(services, id, c.req.valid("json"), signal), 200);
    },
  );
}
