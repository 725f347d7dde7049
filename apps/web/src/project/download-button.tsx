import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { DownloadItems } from "./download-menu.tsx";

/** A button that opens the list of downloads. */
export function DownloadButton({
  project,
  className,
  children,
}: {
  project: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <Menu.Root>
      <Menu.Trigger className={className}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-40">
          <Menu.Popup className="floating min-w-50 py-1">
            <DownloadItems project={project} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
