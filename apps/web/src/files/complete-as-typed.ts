import { Compartment, StateEffect } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { ProjectPath } from "@treadle/protocol";
import { holdsSecrets } from "@treadle/protocol/project-path";
import { askCompletion } from "../api/completions.ts";
import { sentence } from "../api/request.ts";
import { noticeError } from "../ui/notice.ts";
import { useCompletions } from "./completions-store.ts";

/** Characters sent from each side of the cursor; text farther away says little about the next line. */
const CHARS_BEFORE = 4_000;
const CHARS_AFTER = 1_000;
/** Milliseconds without requests after a failed one, so that the error does not reappear at each pause in typing. */
const PAUSE_AFTER_FAILURE_MS = 60_000;

/**
 * Suggests in an editor what comes next, while the person has suggestions switched on. Never sends a file that holds
 * secrets.
 * @returns a function that stops the suggestions
 */
export function completeAsTyped(
  view: EditorView,
  { project, path }: { project: string; path: ProjectPath },
): () => void {
  if (holdsSecrets(path)) return () => {};
  const compartment = new Compartment();
  let isStopped = false;
  let isIn = false;
  let restsUntil = 0;

  async function ask(before: string, after: string, signal: AbortSignal): Promise<string> {
    if (Date.now() < restsUntil) return "";
    const { model } = useCompletions.getState();
    try {
      return await askCompletion(
        project,
        { path, before: before.slice(-CHARS_BEFORE), after: after.slice(0, CHARS_AFTER), model },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) {
        restsUntil = Date.now() + PAUSE_AFTER_FAILURE_MS;
        noticeError(sentence(error));
      }
      return "";
    }
  }

  async function follow(): Promise<void> {
    if (!useCompletions.getState().on) {
      if (isIn) view.dispatch({ effects: compartment.reconfigure([]) });
      return;
    }
    restsUntil = 0;
    const { ghostText } = await import("./ghost-text.ts");
    if (isStopped || !useCompletions.getState().on) return;
    const extension = ghostText(ask);
    view.dispatch({
      effects: isIn
        ? compartment.reconfigure(extension)
        : StateEffect.appendConfig.of(compartment.of(extension)),
    });
    isIn = true;
  }
  void follow();
  const unsubscribe = useCompletions.subscribe(() => void follow());
  return () => {
    isStopped = true;
    unsubscribe();
  };
}
