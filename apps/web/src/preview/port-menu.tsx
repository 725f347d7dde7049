import { Menu } from "@base-ui/react/menu";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";

/** Selects one of the ports that the app listens on; shown only if there are several. */
export function PortMenu({
  ports,
  port,
  onPort,
}: {
  ports: number[];
  port: number;
  onPort: (port: number) => void;
}) {
  if (ports.length === 1)
    return <span className="numbers shrink-0 px-1 text-small text-quiet">:{port}</span>;
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={words.preview.portIs({ port })}
        title={words.preview.port}
        className="numbers inline-flex h-7 shrink-0 items-center rounded border border-line px-1.5 text-small text-quiet hover:bg-hover hover:text-ink"
      >
        :{port}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Menu.Popup className="floating py-1">
            <Menu.RadioGroup value={port} onValueChange={(next) => onPort(next as number)}>
              {ports.map((one) => (
                <Menu.RadioItem key={one} value={one} closeOnClick className={MENU_ITEM}>
                  <span className="w-3">
                    <Menu.RadioItemIndicator className="block size-1.5 rounded-full bg-accent" />
                  </span>
                  {words.preview.portOf({ port: one })}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
