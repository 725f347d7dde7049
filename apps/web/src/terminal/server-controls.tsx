import type { ServerState } from "@treadle/protocol";
import { Play, RotateCw, Square } from "../ui/icons.ts";
import { noticeError } from "../ui/notice.ts";
import { controlServer, type ServerAction } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Starts, restarts and stops the app's server. */
export function ServerControls({ state }: { state: ServerState["state"] | undefined }) {
  const project = useProjectId();
  const act = (action: ServerAction) =>
    void controlServer(project, action).catch((error: unknown) => noticeError(sentence(error)));
  const runs = state === "up" || state === "starting";
  return (
    <span className="flex items-center">
      {runs ? (
        <>
          <IconButton
            name={words.terminal.restartServer}
            className="my-0.5"
            onClick={() => act("restart")}
          >
            <RotateCw size={14} aria-hidden="true" />
          </IconButton>
          <IconButton
            name={words.terminal.stopServer}
            className="my-0.5"
            onClick={() => act("stop")}
          >
            <Square size={13} aria-hidden="true" />
          </IconButton>
        </>
      ) : (
        <IconButton
          name={words.terminal.startServer}
          className="my-0.5"
          onClick={() => act("start")}
        >
          <Play size={14} aria-hidden="true" />
        </IconButton>
      )}
    </span>
  );
}
