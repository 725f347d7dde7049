import type { Workspace } from "@treadle/workspace";
import type { RunScope } from "../../ports/run-scope.ts";
import { readFacts } from "../../project/project-facts.ts";
import { getPage } from "./get-page.ts";
import { isDocument } from "./is-document.ts";
import { byDocument, SEVERAL_MS } from "./serve.ts";
import { runsSeveral, serverCommand } from "../../project/server-command.ts";

const LOOK_MS = 100;
/** Milliseconds for a port to answer; a slower one is left to the next evidence. */
const ANSWER_MS = 3_000;

/**
 * Moves the port that serves the page to the front once a server is up, because the order in which several processes open
 * their ports is random.
 */
export async function showPage(
  workspace: Workspace,
  { clock, signal }: Pick<RunScope, "clock" | "signal">,
): Promise<void> {
  const ports = () => (workspace.server?.state === "up" ? workspace.server.ports : []);
  if (ports().length < 2) {
    const script = serverCommand(await readFacts(workspace), workspace.server)?.script ?? "";
    if (!runsSeveral(script)) return;
    const ends = clock.now() + SEVERAL_MS;
    while (ports().length === 1 && clock.now() < ends) await clock.sleep(LOOK_MS, signal);
  }
  const answers = await Promise.all(
    ports().map(async (port) => {
      const answer = await getPage(workspace, port, "/", signal, { ms: ANSWER_MS }).catch(
        () => undefined,
      );
      return { port, answer };
    }),
  );
  signal.throwIfAborted();
  const [page] = answers
    .flatMap(({ port, answer }) =>
      answer && answer.status < 400 && (/html/i.test(answer.contentType) || isDocument(answer.body))
        ? [{ port, answer }]
        : [],
    )
    .toSorted(byDocument);
  if (page) workspace.showPort(page.port);
}
