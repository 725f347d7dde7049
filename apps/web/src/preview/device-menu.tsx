import { Menu } from "@base-ui/react/menu";
import { Fragment } from "react";
import { ChevronDown, MonitorSmartphone, RotateCcwSquare } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { DEVICES, type Device, type Shape } from "./devices.ts";
import { words } from "../words/words.ts";

/** Initial width in pixels. */
const INITIAL_WIDTH_PX = 640;
/** The name of a device. Only names of screens are translated; product names are not. */
const nameOf = ({ id, kind, name }: Device): string =>
  kind === "screen" ? words.preview.screens[id as keyof typeof words.preview.screens] : name;
const KINDS: Device["kind"][] = ["phone", "tablet", "screen"];

/** The device and orientation in which the app is shown. */
export function DeviceMenu({ shape, onShape }: { shape: Shape; onShape: (shape: Shape) => void }) {
  const device = shape.kind === "device" ? DEVICES.find(({ id }) => id === shape.id) : undefined;
  const name = device
    ? nameOf(device)
    : shape.kind === "free"
      ? `${shape.width} px`
      : words.preview.fit;
  const choose = (id: string) => {
    if (id === "fill") onShape({ kind: "fill" });
    else if (id === "free") onShape({ kind: "free", width: INITIAL_WIDTH_PX });
    else onShape({ kind: "device", id, turned: false });
  };
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          aria-label={words.preview.windowIs({ name })}
          title={words.preview.window}
          className="inline-flex h-7 shrink-0 items-center gap-1 rounded px-1.5 text-small whitespace-nowrap text-quiet hover:bg-hover hover:text-ink"
        >
          <MonitorSmartphone size={15} aria-hidden="true" />
          <span className="numbers max-w-24 truncate">{name}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
            <Menu.Popup className="floating min-w-56 py-1">
              <Menu.RadioGroup
                value={shape.kind === "device" ? shape.id : shape.kind}
                onValueChange={choose}
              >
                <Choice value="fill" name={words.preview.fitPane} />
                <Choice value="free" name={words.preview.freeWidth} />
                {KINDS.map((kind) => (
                  <Fragment key={kind}>
                    <Menu.Separator className="my-1 h-px bg-line" />
                    {DEVICES.filter((one) => one.kind === kind).map((one) => (
                      <Choice
                        key={one.id}
                        value={one.id}
                        name={nameOf(one)}
                        note={`${one.width} × ${one.height}`}
                      />
                    ))}
                  </Fragment>
                ))}
              </Menu.RadioGroup>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {shape.kind === "device" && (
        <IconButton
          name={shape.turned ? words.preview.upright : words.preview.turn}
          onClick={() => onShape({ ...shape, turned: !shape.turned })}
        >
          <RotateCcwSquare size={15} aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}

function Choice({ value, name, note }: { value: string; name: string; note?: string }) {
  return (
    <Menu.RadioItem value={value} closeOnClick className={`${MENU_ITEM} justify-between`}>
      <span className="flex items-center gap-2">
        <span className="w-3">
          <Menu.RadioItemIndicator className="block size-1.5 rounded-full bg-accent" />
        </span>
        {name}
      </span>
      {note && <span className="numbers text-small text-quiet">{note}</span>}
    </Menu.RadioItem>
  );
}
