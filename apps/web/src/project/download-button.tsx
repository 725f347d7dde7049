import { Menu } from "@base-ui/react/menu";
import { buttonClass } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { DownloadItems } from "./download-menu.tsx";

/** A button that opens what can be downloaded of a project. */
export function DownloadButton({ project }: { project: string }) {
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass("plain", "medium")}>
        {words.project.download}
      </Menu.Trigger>
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
