import { z } from "zod";
import { bringUp } from "../project/bring-up.ts";
import { lookAtStart } from "../preview/look-at-start.ts";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Starts the project's server in place of the one before it, and says what its page throws as it loads. */
export const startServer = defineTool({
  name: "start_server",
  description: prose(new URL("./start-server.md", import.meta.url)),
  input: z.object({ command: z.string().min(1) }),
  async execute({ command }, context) {
    const name = clipLine(command, 60);
    const brought = await bringUp(context.workspace, { ...context, command });
    if (brought.state !== "up")
      return refused(
        brought.state === "down" ? `${name} did not come up` : `Did not start ${name}`,
        brought.said,
      );
    const [port] = brought.server.ports;
    return done(
      port === undefined ? `Started ${name}` : `Started ${name} on port ${port}`,
      brought.said + (await lookAtStart(context)),
    );
  },
});
