import { Menu } from "@base-ui/react/menu";
import { ChevronRight } from "../ui/icons.ts";
import { DOWNLOADS } from "../api/projects.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";

const KINDS = Object.keys(DOWNLOADS) as (keyof typeof DOWNLOADS)[];

/** The downloads of a project, as menu items. */
export function DownloadItems({ project }: { project: string }) {
  return KINDS.map((kind) => (
    <Menu.Item
      key={kind}
      className={MENU_ITEM}
      render={<a href={DOWNLOADS[kind](project)} download />}
    >
      {words.project.downloads[kind]}
    </Menu.Item>
  ));
}

/** The downloads of a project, as a submenu. */
export function DownloadSubmenu({ project }: { project: string }) {
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger className={`${MENU_ITEM} data-popup-open:bg-hover`}>
        <span className="flex-1">{words.project.download}</span>
        <ChevronRight size={14} aria-hidden="true" className="text-quiet" />
      </Menu.SubmenuTrigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={2} alignOffset={-5} collisionPadding={8} className="z-50">
          <Menu.Popup className="floating min-w-50 py-1">
            <DownloadItems project={project} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.SubmenuRoot>
  );
}
