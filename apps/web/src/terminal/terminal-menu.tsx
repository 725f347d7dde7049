import { Menu } from "@base-ui/react/menu";
import { useRef } from "react";
import type { TerminalSharing } from "@treadle/protocol";
import { Check, Ellipsis } from "../ui/icons.ts";
import { copyText } from "../ui/copy-text.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { notice } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import type { PaneActions } from "./terminal-pane.tsx";

/** Actions for the current terminal. */
export function TerminalMenu({
  actions,
  onRename,
  sharing,
  onShare,
  onSplit,
  onAlone,
}: {
  actions: PaneActions | undefined;
  /** Undefined if the terminal cannot be renamed. */
  onRename: (() => void) | undefined;
  /** What other people may do with the terminal; undefined: nothing. */
  sharing: TerminalSharing | undefined;
  /** Undefined if the terminal is somebody else's, or there is nobody to share it with. */
  onShare: ((sharing: TerminalSharing | undefined) => void) | undefined;
  /** Undefined if there is no room for another, or the maximum number is open. */
  onSplit: (() => void) | undefined;
  /** Shows only this terminal; undefined if it already is the only one shown. */
  onAlone: (() => void) | undefined;
}) {
  /** The chosen action moves the focus, so the menu does not restore it and runs the action after it has closed. */
  const next = useRef<() => void>(undefined);
  const leaving = useRef(false);
  const then = (act: () => void) => () => {
    leaving.current = true;
    next.current = act;
  };
  const copy = async () => {
    if (actions && (await copyText(actions.text()))) notice(words.terminal.copied);
  };
  return (
    <Menu.Root
      onOpenChange={(open) => {
        if (open) leaving.current = false;
      }}
      onOpenChangeComplete={(open) => {
        if (open) return;
        next.current?.();
        next.current = undefined;
      }}
    >
      <Menu.Trigger
        aria-label={words.terminal.more}
        title={words.terminal.more}
        className="my-0.5 inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <Ellipsis size={15} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Menu.Popup finalFocus={() => !leaving.current} className="floating min-w-44 py-1">
            {onRename && (
              <Menu.Item className={MENU_ITEM} onClick={then(onRename)}>
                {words.terminal.rename}
              </Menu.Item>
            )}
            {onShare && (
              <Menu.RadioGroup
                value={sharing ?? "none"}
                onValueChange={(value) => onShare(value === "none" ? undefined : value)}
                className="my-1 border-y border-line py-1"
              >
                {(["none", "see", "type"] as const).map((value) => (
                  <Menu.RadioItem key={value} value={value} className={`${MENU_ITEM} gap-2`}>
                    <span className="w-3.5">
                      <Menu.RadioItemIndicator>
                        <Check size={14} aria-hidden="true" />
                      </Menu.RadioItemIndicator>
                    </span>
                    {words.terminal.sharing[value]}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            )}
            {onSplit && (
              <Menu.Item className={MENU_ITEM} onClick={then(onSplit)}>
                {words.terminal.split}
              </Menu.Item>
            )}
            {onAlone && (
              <Menu.Item className={MENU_ITEM} onClick={then(onAlone)}>
                {words.terminal.alone}
              </Menu.Item>
            )}
            <Menu.Item
              className={MENU_ITEM}
              disabled={!actions}
              onClick={then(() => actions?.find())}
            >
              {words.terminal.find}
            </Menu.Item>
            <Menu.Item className={MENU_ITEM} disabled={!actions} onClick={then(() => void copy())}>
              {words.terminal.copy}
            </Menu.Item>
            <Menu.Item
              className={MENU_ITEM}
              disabled={!actions}
              onClick={then(() => {
                actions?.clear();
                actions?.terminal.focus();
              })}
            >
              {words.terminal.clear}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
