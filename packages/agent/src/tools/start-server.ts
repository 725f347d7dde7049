import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { bringUp } from "../project/bring-up.ts";
import { postgresNote } from "../project/postgres-refused.ts";
import { readParts } from "../project/project-parts.ts";
import { endedNote } from "../preview/ended-parts.ts";
import { lookAtStart } from "../preview/look-at-start.ts";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";
import { defineTool, done, refused, type ToolContext } from "./tool.ts";

/**
 * How long the parts of a project with several packages are watched after the first one responds,
 * in milliseconds.
 */
const PARTS_MS = 2_500;
const LOOK_MS = 100;

/**
 * Starts the project's server, replacing a running one, and reports errors of its page and parts
 * that exited.
 */
export const startServer = defineTool({
  name: "start_server",
  description: prose(new URL("./start-server.md", import.meta.url)),
  input: z.object({ command: z.string().min(1) }),
  async execute({ command }, context) {
    const name = clipLine(command, 60);
    const brought = await bringUp(context.workspace, { ...context, command });
    if (brought.state !== "up")
      return refused(
        sentence(brought.state === "down" ? "not-up" : "not-started", { command: name }),
        brought.summary + refusedNote(context),
      );
    const [port] = brought.server.ports;
    const title =
      port === undefined
        ? sentence("started", { command: name })
        : sentence("started-on", { command: name, port });
    const began = context.now();
    const looked = await lookAtStart(context);
    // The page's request may have made a part exit, and the last part to respond is also the last
    // to fail.
    const isSeveral = (await readParts(context.workspace)).length > 1;
    let ended = await endedNote(context.workspace);
    const looks = Math.ceil((PARTS_MS - (context.now() - began)) / LOOK_MS);
    for (let look = 0; isSeveral && ended === "" && look < looks; look++) {
      await context.sleep(LOOK_MS);
      ended = await endedNote(context.workspace);
    }
    const report = brought.summary + ended + looked + refusedNote(context, ended);
    return ended === ""
      ? done(title, report)
      : refused(`${title.text}, and a part of it ended`, report);
  },
});

/**
 * Advice if the server could not reach PostgreSQL; the message may come from a part whose output is
 * not forwarded.
 */
const refusedNote = ({ workspace }: ToolContext, ended = "") =>
  postgresNote(workspace, `${workspace.serverLog()}\n${ended}`);
