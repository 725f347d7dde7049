import { Menu } from "@base-ui/react/menu";
import { ArrowLeft, ArrowRight, ExternalLink, Moon, RotateCw, Sun } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../ui/button.tsx";
import { MENU_ITEM } from "../ui/menu-item.ts";
import type { Scheme } from "./use-scheme.ts";

/** Pixels, or as wide as there is room. */
export type DeviceWidth = "full" | 390 | 768;

const WIDTHS: { id: DeviceWidth; label: string; name: string }[] = [
  { id: "full", label: "Full", name: "Full width" },
  { id: 390, label: "390", name: "Phone, 390 pixels" },
  { id: 768, label: "768", name: "Tablet, 768 pixels" },
];

export interface PreviewBarProps {
  path: string;
  /** Goes to what was typed; false when it is not an address of this app. */
  onGo: (typed: string) => boolean;
  onCommand: (command: "back" | "forward" | "reload") => void;
  canMove: boolean;
  ports: number[];
  port: number;
  onPort: (port: number) => void;
  width: DeviceWidth;
  onWidth: (width: DeviceWidth) => void;
  scheme: Scheme;
  address: string;
}

export function PreviewBar(props: PreviewBarProps) {
  const { path, onGo, onCommand, canMove, ports, port, onPort, width, onWidth, scheme, address } =
    props;
  /** What is being typed; undefined: the field shows where the app is. */
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const label = WIDTHS.find(({ id }) => id === width)?.label;
  return (
    <div className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line px-1.5">
      <IconButton name="Back" disabled={!canMove} onClick={() => onCommand("back")}>
        <ArrowLeft size={16} aria-hidden="true" />
      </IconButton>
      <IconButton name="Forward" disabled={!canMove} onClick={() => onCommand("forward")}>
        <ArrowRight size={16} aria-hidden="true" />
      </IconButton>
      <IconButton name="Reload" onClick={() => onCommand("reload")}>
        <RotateCw size={15} aria-hidden="true" />
      </IconButton>
      <form
        className="mx-1 min-w-0 flex-1"
        onSubmit={(event) => {
          event.preventDefault();
          const gone = typed === undefined || onGo(typed);
          setWrong(!gone);
          if (gone) setTyped(undefined);
        }}
      >
        <input
          aria-label="Address in the app"
          aria-invalid={wrong}
          title={wrong ? "Only addresses of this app, such as /about" : undefined}
          value={typed ?? path}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value);
            setWrong(false);
          }}
          onFocus={(event) => event.target.select()}
          onBlur={() => {
            setTyped(undefined);
            setWrong(false);
          }}
          className="h-7 w-full rounded border border-line bg-raised px-2 font-mono text-small aria-invalid:border-failed"
        />
      </form>
      {ports.length === 1 ? (
        <span className="numbers shrink-0 px-1 text-small text-quiet">:{port}</span>
      ) : (
        <Menu.Root>
          <Menu.Trigger
            aria-label={`Port: ${port}`}
            title="Port of the app"
            className="numbers inline-flex h-7 shrink-0 items-center rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink"
          >
            :{port}
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
              <Menu.Popup className="floating py-1">
                <Menu.RadioGroup value={port} onValueChange={(next) => onPort(next as number)}>
                  {ports.map((one) => (
                    <Menu.RadioItem key={one} value={one} closeOnClick className={MENU_ITEM}>
                      Port {one}
                    </Menu.RadioItem>
                  ))}
                </Menu.RadioGroup>
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      )}
      <Menu.Root>
        <Menu.Trigger
          aria-label={`Width: ${label}`}
          title="Width of the preview"
          className="inline-flex h-7 shrink-0 items-center rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink max-wide:hidden"
        >
          {label}
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
            <Menu.Popup className="floating py-1">
              <Menu.RadioGroup value={width} onValueChange={(next) => onWidth(next as DeviceWidth)}>
                {WIDTHS.map(({ id, name }) => (
                  <Menu.RadioItem key={id} value={id} closeOnClick className={MENU_ITEM}>
                    {name}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <IconButton name={`Show in ${scheme.other}`} onClick={scheme.flip}>
        {scheme.other === "dark" ? (
          <Moon size={15} aria-hidden="true" />
        ) : (
          <Sun size={15} aria-hidden="true" />
        )}
      </IconButton>
      <a
        href={address}
        target="_blank"
        rel="noopener"
        aria-label="Open in a new tab"
        title="Open in a new tab"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <ExternalLink size={16} aria-hidden="true" />
      </a>
    </div>
  );
}
