import { connect } from "@treadle/client";
import { localConnection } from "@treadle/client/local";
import { findProject } from "./folders/find-project.ts";
import { link } from "./link.ts";
import { canOpenBrowser, openBrowser } from "./terminal/open-browser.ts";

/** `treadle open [PROJECT]`: opens the running server's page in the person's browser. */
export async function open(command: { project?: string; data?: string | undefined }) {
  const connection = localConnection(command.data);
  const treadle = connect(connection);
  const path = command.project
    ? `/p/${findProject(await treadle.projects(), command.project).id}`
    : "/";
  if (!canOpenBrowser()) {
    const { data: me } = await treadle.api.GET("/api/me");
    // With accounts, no browser enters with the token.
    if (me && me.id !== "local") return link(command);
    process.stdout.write(`${connection.url}${path}?token=${connection.token}\n`);
    return 0;
  }
  const { data } = await treadle.api.POST("/api/tickets");
  openBrowser(`${data!.origin}${path}?ticket=${data!.ticket}`);
  return 0;
}
