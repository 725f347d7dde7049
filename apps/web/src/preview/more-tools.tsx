import { Menu } from "@base-ui/react/menu";
import { Ellipsis } from "../ui/icons.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";

/** Tools that do not fit into the bar of a narrow page. */
export function MoreTools({
  tools,
}: {
  /** Each tool either runs `onChoose`, or is a link that opens in a new tab. */
  tools: ({ name: string } & ({ onChoose: () => void } | { href: string }))[];
}) {
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={words.preview.more}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <Ellipsis size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Menu.Popup className="floating min-w-48 py-1">
            {tools.map((tool) => (
              <Menu.Item
                key={tool.name}
                className={MENU_ITEM}
                {...("href" in tool
                  ? { render: <a href={tool.href} target="_blank" rel="noopener" /> }
                  : { onClick: tool.onChoose })}
              >
                {tool.name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
