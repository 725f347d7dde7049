import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ProjectPath } from "@treadle/protocol";
import { plainOutput } from "@treadle/protocol/safe-text";
import { checkPath, type Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { createRoute, answers, body, ProjectParams } from "../describe.ts";
import type { Services } from "../services.ts";

/** Maximum length of a file to format in characters, and of the result in bytes. */
const TEXT = 2 * 1024 * 1024;
const ANSWER = 16 * 1024 * 1024;
/** Time limit for a formatter, in milliseconds. */
const WAIT_MS = 20_000;
/** Characters of the formatter's error message that are returned. */
const SAID = 600;
/** Exit code of the command if the project has no formatter. */
const NONE = 99;

/** A command that runs the project's own formatter with its own settings. It reads `FORMAT_SIZE` bytes of input. */
const COMMAND = `
if [ -f node_modules/prettier/bin/prettier.cjs ]; then
  set -- "$TREADLE_NODE" node_modules/prettier/bin/prettier.cjs --stdin-filepath "$FORMAT_PATH"
elif [ -x node_modules/.bin/prettier ]; then
  set -- node_modules/.bin/prettier --stdin-filepath "$FORMAT_PATH"
elif [ -x node_modules/.bin/biome ]; then
  set -- node_modules/.bin/biome format "--stdin-file-path=$FORMAT_PATH"
else exit ${NONE}; fi
head -c "$FORMAT_SIZE" | "$@"`;

/** The route that formats a text with the project's own formatter. */
export function formatRoutes(app: OpenAPIHono, { runtimes }: Services): void {
  app.openapi(
    createRoute({
      method: "post",
      path: "/api/projects/{id}/format",
      action: "project.edit",
      summary:
        "Formats a file's text with the project's own Prettier or Biome in the sandbox, without writing it. The answer has no `text` if the project has neither.",
      request: {
        params: ProjectParams,
        body: body(z.object({ path: z.string().min(1), text: z.string().max(TEXT) })),
      },
      responses: answers(z.object({ text: z.string().optional() }), "The text."),
    }),
    async (c) => {
      const workspace = await (await runtimes.get(c.req.valid("param").id)).workspace();
      const { path, text } = c.req.valid("json");
      return c.json({ text: await formatted(workspace, checkPath(path), text) }, 200);
    },
  );
}

/**
 * The formatted text; undefined if the project has no formatter.
 * @throws ApiFailure 400 `not-formatted`, with the formatter's message if it has one
 */
async function formatted(
  workspace: Workspace,
  path: ProjectPath,
  text: string,
): Promise<string | undefined> {
  const bytes = Buffer.from(text);
  const pipe = await workspace.pipe(COMMAND, {
    env: { FORMAT_PATH: path, FORMAT_SIZE: String(bytes.length) },
    leavesFiles: true,
  });
  const pieces: Uint8Array[] = [];
  let size = 0;
  let output = "";
  pipe.onData((piece) => {
    if (size > ANSWER) return;
    size += piece.length;
    if (size > ANSWER) void pipe.kill();
    else pieces.push(piece);
  });
  pipe.onErrors((words) => {
    if (output.length < SAID) output += words;
  });
  const late = setTimeout(() => void pipe.kill(), WAIT_MS);
  pipe.write(bytes);
  const { code } = await pipe.ended;
  clearTimeout(late);
  if (code === NONE) return undefined;
  const answer = Buffer.concat(pieces).toString("utf8");
  if (code === 0 && size <= ANSWER && (answer !== "" || text === "")) return answer;
  const why = plainOutput(output).trim().slice(0, SAID);
  throw new ApiFailure(
    400,
    "not-formatted",
    why === "" ? sentence("not-formatted") : sentence("not-formatted-because", { why }),
  );
}
