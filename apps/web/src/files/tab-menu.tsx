import { ContextMenu } from "@base-ui/react/context-menu";
import type { ProjectPath } from "@treadle/protocol";
import { useState, type ReactNode } from "react";
import { showFileHistory } from "../project/changes-store.ts";
import { copyText } from "../ui/copy-text.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";
import type { FileTab } from "./tabs.ts";

/** The context menu of a tab, opened by a right click, a long press or the menu key. */
export function TabMenu({
  tabs,
  onClose,
  children,
}: {
  tabs: readonly FileTab[];
  onClose: (path: ProjectPath) => void;
  children: ReactNode;
}) {
  const [asked, setAsked] = useState<string>();
  const path = tabs.find((tab) => tab.path === asked)?.path;
  return (
    <ContextMenu.Root disabled={tabs.length === 0}>
      <ContextMenu.Trigger
        className="h-full min-w-0 flex-1"
        onContextMenu={({ target }) =>
          setAsked((target as Element).closest<HTMLElement>("[data-tab-of]")?.dataset["tabOf"])
        }
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Positioner collisionPadding={8} className="z-40">
          <ContextMenu.Popup className="floating min-w-44 py-1">
            {path !== undefined && (
              <>
                <ContextMenu.Item className={MENU_ITEM} onClick={() => onClose(path)}>
                  {words.editor.closeItem}
                </ContextMenu.Item>
                <ContextMenu.Item
                  className={MENU_ITEM}
                  onClick={() =>
                    tabs.filter((tab) => tab.path !== path).forEach((tab) => onClose(tab.path))
                  }
                >
                  {words.editor.closeOthers}
                </ContextMenu.Item>
                <ContextMenu.Separator className="my-1 h-px bg-line" />
                <ContextMenu.Item className={MENU_ITEM} onClick={() => showFileHistory(path)}>
                  {words.changes.overTimeItem}
                </ContextMenu.Item>
                <ContextMenu.Item className={MENU_ITEM} onClick={() => void copyText(path)}>
                  {words.editor.copyPath}
                </ContextMenu.Item>
              </>
            )}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
