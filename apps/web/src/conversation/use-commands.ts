import { isRunning } from "@treadle/protocol/fold";
import { useNavigate } from "@tanstack/react-router";
import type { RunMode } from "@treadle/protocol";
import { checkAgain, compactProject } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { useCommand } from "../commands/available.ts";
import { conversationFilter } from "../fold/folded-turns.ts";
import { turnCheckpoints } from "../fold/select.ts";
import { useGoBack } from "../history/use-go-back.ts";
import { useLiveStore, useProjectId } from "../live/live-context.tsx";
import { notice, noticeError } from "../ui/notice.ts";
import type { OfferedSuggestions, Suggestion } from "../prompt/suggestions.ts";
import { commands, commandOf, type CommandName } from "./commands.ts";
import { words } from "../words/words.ts";

/**
 * Suggestions for `/` in the composer: Treadle's own commands, then the prompts of tool servers.
 * @param onMode called with the mode for the next message
 */
export function useCommands(
  prompts: { offered: OfferedSuggestions | undefined; choose: (item: Suggestion) => void },
  onMode: (mode: RunMode) => void,
): { offered: OfferedSuggestions; choose: (item: Suggestion) => void } {
  const project = useProjectId();
  const store = useLiveStore();
  const navigate = useNavigate();
  const goBack = useGoBack();

  async function undo(): Promise<void> {
    const { view } = store.getState();
    if (isRunning(view)) return notice(words.chat.stopFirst);
    const isInConversation = conversationFilter(view);
    const last = view.turns.findLast((turn) => !turn.queued && isInConversation(turn));
    const before = last && turnCheckpoints(view, last).before;
    if (before === undefined) return notice(words.chat.nothingToUndo);
    await goBack({ checkpoint: before, label: words.chat.beforeTurn });
  }
  async function compact(): Promise<void> {
    notice(words.chat.summing, { id: "compact" });
    const { compacted } = await compactProject(project);
    const text = compacted ? words.chat.summed : words.chat.isShort;
    notice(text, { id: "compact" });
  }
  const acts: Record<CommandName, () => unknown> = {
    new: () => navigate({ to: "/" }),
    plan: () => onMode("plan"),
    discuss: () => onMode("discuss"),
    check: () => checkAgain(project),
    undo,
    compact,
  };
  useCommand("undo", undo);
  useCommand("compact", compact);
  return {
    offered: {
      resources: prompts.offered?.resources ?? [],
      prompts: [...commands(), ...(prompts.offered?.prompts ?? [])],
      note: prompts.offered?.note,
    },
    choose(item) {
      const command = commandOf(item);
      if (command === undefined) return prompts.choose(item);
      void Promise.resolve(acts[command]()).catch((error: unknown) => noticeError(sentence(error)));
    },
  };
}
