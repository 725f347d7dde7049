import { isRunning } from "@treadle/protocol/fold";
import { Menu } from "@base-ui/react/menu";
import { RotateCcw } from "../ui/icons.ts";
import { modelLabel, useModels } from "../api/queries.ts";
import { restoreCheckpoint, sendMessage } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { conversationFilter } from "../fold/folded-turns.ts";
import { turnCheckpoints } from "../fold/select.ts";
import type { Turn } from "../fold/types.ts";
import { useLiveStore, useProjectId, useView } from "../live/live-context.tsx";
import { readSentPictures } from "../pictures/read-sent-pictures.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { RETRY_BUTTON } from "./retry-look.ts";

/**
 * Sends a message again: with the current files, with the files as they were before it (for the last message), or to
 * another model. The menu is open when first drawn, because it is loaded by the click that opens it.
 */
export default function RetryMenu({ message }: { message: string }) {
  const project = useProjectId();
  const store = useLiveStore();
  const { data: models } = useModels();
  const working = useView(isRunning);
  const used = useView((view) => turnOf(view.turns, message)?.model);
  const before = useView((view) => {
    const turn = turnOf(view.turns, message);
    const isInConversation = conversationFilter(view);
    const last = view.turns.findLast((one) => !one.queued && isInConversation(one));
    return turn && turn === last ? turnCheckpoints(view, turn).before : undefined;
  });

  const again = async ({ model, from }: { model?: string; from?: string }) => {
    const turn = turnOf(store.getState().view.turns, message);
    if (!turn) return;
    try {
      const pictures = await readSentPictures(project, turn.pictures ?? []);
      if (from !== undefined) await restoreCheckpoint(project, { checkpoint: from });
      const { text, fix, prove, toCarryOut: plan, mode } = turn;
      await sendMessage(project, { text, fix, prove, plan, mode, model, pictures });
    } catch (error) {
      noticeError(sentence(error));
    }
  };
  const others = (models?.providers ?? [])
    .filter(({ source }) => source !== undefined)
    .flatMap(({ models: offered }) => offered.map(({ id }) => id))
    .filter((id) => id !== used);

  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger aria-label={words.chat.again} title={words.chat.again} className={RETRY_BUTTON}>
        <RotateCcw size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Menu.Popup className="floating max-h-80 max-w-80 min-w-50 overflow-y-auto py-1">
            <Menu.Item className={MENU_ITEM} onClick={() => void again({})}>
              {working ? words.chat.queueAgain : words.chat.sendAgain}
            </Menu.Item>
            {before !== undefined && (
              <Menu.Item
                className={MENU_ITEM}
                disabled={working}
                onClick={() => void again({ from: before })}
              >
                {words.chat.undoAndSend}
              </Menu.Item>
            )}
            {others.length > 0 && (
              <Menu.Group className="mt-1 border-t border-line pt-1">
                <Menu.GroupLabel className="px-3 py-0.5 text-small text-quiet">
                  {words.chat.otherModel}
                </Menu.GroupLabel>
                {others.map((model) => (
                  <Menu.Item
                    key={model}
                    className={MENU_ITEM}
                    onClick={() => void again({ model })}
                  >
                    <span className="truncate">{modelLabel(models, model)}</span>
                  </Menu.Item>
                ))}
              </Menu.Group>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const turnOf = (turns: readonly Turn[], message: string) =>
  turns.find((turn) => turn.message === message);
