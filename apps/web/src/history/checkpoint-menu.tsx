import { isRunning } from "@treadle/protocol/fold";
import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { Ellipsis } from "../ui/icons.ts";
import { readCheckpoints } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { commentOn } from "../project/comments-store.ts";
import { showChanges } from "../project/changes-store.ts";
import { useMay } from "../project/use-may.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";
import { CHECKPOINT_MORE, type CheckpointMenuProps } from "./checkpoint-more.tsx";
import { useGoBack } from "./use-go-back.ts";
import { useCopyProject } from "../project/use-copy-project.ts";

/** Creates a project from a checkpoint of this one, and opens it. */
function useFork(): (checkpoint?: string) => Promise<void> {
  const project = useProjectId();
  const copy = useCopyProject();
  return useCallback((checkpoint) => copy(project, checkpoint), [copy, project]);
}

/** The menu of actions for a checkpoint. It is open when first drawn, because a click loads it. */
export default function CheckpointMenu(props: CheckpointMenuProps) {
  const { line, title, isCurrent, onName, onUnname, onDone } = props;
  const { checkpoint, before, name } = line;
  const working = useView(isRunning);
  const mayComment = useMay("project.comment");
  const project = useProjectId();
  const { data: checkpoints } = useQuery({
    queryKey: ["checkpoints", project],
    queryFn: ({ signal }) => readCheckpoints(project, signal),
    staleTime: 0,
  });
  const hasData = checkpoints?.some((one) => one.checkpoint === checkpoint && one.hasData);
  const goBack = useGoBack();
  const fork = useFork();
  /** Whether the name is being edited: the name field then takes the focus instead of the menu's button. */
  const naming = useRef(false);
  const compare = (span: { from: string; to?: string }) => {
    showChanges(span);
    onDone();
  };
  return (
    <Menu.Root
      defaultOpen
      onOpenChange={(open) => {
        if (open) naming.current = false;
      }}
    >
      <Menu.Trigger
        aria-label={words.home.moreFor({ name: title })}
        title={words.home.more}
        className={CHECKPOINT_MORE}
      >
        <Ellipsis size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-50">
          <Menu.Popup finalFocus={() => !naming.current} className="floating min-w-50 py-1">
            <Menu.Item
              className={MENU_ITEM}
              disabled={working}
              onClick={() => {
                void goBack({ checkpoint, label: title, conversation: true });
                onDone();
              }}
            >
              {words.history.goBackBoth}
            </Menu.Item>
            {hasData && (
              <Menu.Item
                className={MENU_ITEM}
                disabled={working}
                onClick={() => {
                  void goBack({ checkpoint, label: title, data: true });
                  onDone();
                }}
              >
                {words.history.goBackData}
              </Menu.Item>
            )}
            {before !== undefined && (
              <Menu.Item
                className={MENU_ITEM}
                onClick={() => compare({ from: before, to: checkpoint })}
              >
                {words.history.changes}
              </Menu.Item>
            )}
            {!isCurrent && (
              <Menu.Item className={MENU_ITEM} onClick={() => compare({ from: checkpoint })}>
                {words.history.compareNow}
              </Menu.Item>
            )}
            {mayComment && (
              <Menu.Item
                className={MENU_ITEM}
                onClick={() => {
                  commentOn({ kind: "checkpoint", checkpoint });
                  onDone();
                }}
              >
                {words.comments.comment}
              </Menu.Item>
            )}
            <Menu.Item
              className={MENU_ITEM}
              onClick={() => {
                void fork(checkpoint);
                onDone();
              }}
            >
              {words.history.fork}
            </Menu.Item>
            <Menu.Item
              className={MENU_ITEM}
              onClick={() => {
                naming.current = true;
                onName();
              }}
            >
              {name === undefined ? words.history.giveName : words.history.rename}
            </Menu.Item>
            {name !== undefined && (
              <Menu.Item className={MENU_ITEM} onClick={onUnname}>
                {words.history.unname}
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
