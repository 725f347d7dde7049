import { z } from "zod";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";
import { serverText } from "../text/server-text.ts";
import { migrate } from "../project/migrations.ts";
import { refusedNote, watchRefused } from "../project/refused-hosts.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Starts the project's server in place of the one before it. */
export const startServer = defineTool({
  name: "start_server",
  description: prose(new URL("./start-server.md", import.meta.url)),
  input: z.object({ command: z.string().min(1) }),
  async execute({ command }, { workspace, signal, onOutput, showPage }) {
    const came = await migrate(workspace, { seed: true, signal });
    if (came.kind === "failed")
      return refused(`Did not start ${clipLine(command, 60)}`, `A migration failed.\n${came.said}`);
    const [server, note] = await watchRefused(workspace, async (hosts) => {
      const started = await workspace.start(command, { onOutput, signal });
      if (started.state === "up") await showPage?.();
      return [workspace.server ?? started, refusedNote(hosts)] as const;
    });
    const name = clipLine(command, 60);
    if (server.state !== "up") return refused(`${name} did not come up`, serverText(server) + note);
    const port = server.ports[0];
    return done(
      port === undefined ? `Started ${name}` : `Started ${name} on port ${port}`,
      serverText(server) + note,
    );
  },
});
