import type { ProjectPath } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import { callPhase } from "../fold/phase.ts";
import { currentCall, openTurn, writingCall } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";

export type WorkTab = "preview" | "code" | "changes";

/**
 * The tab that shows the current work: code while files are written, the preview when there is something to see.
 * Undefined keeps the current tab.
 */
export function followedTab(view: ProjectView): WorkTab | undefined {
  const turn = openTurn(view);
  const up = view.server?.state === "up";
  if (!turn) return up ? "preview" : undefined;
  if (writingCall(view)) return "code";
  const call = currentCall(turn);
  if (call && callPhase(call) === "write" && call.path !== undefined) return "code";
  if (turn.items.at(-1)?.kind === "look" && up) return "preview";
  return call && toolKind(call.tool) === "serves" && up ? "preview" : undefined;
}

/** The file that the active turn's current call writes or is about to write; undefined if there is none. */
export function followedPath(view: ProjectView): ProjectPath | undefined {
  const writing = writingCall(view)?.path;
  if (writing !== undefined) return writing;
  const turn = openTurn(view);
  const call = turn && currentCall(turn);
  return call && callPhase(call) === "write" ? call.path : undefined;
}
