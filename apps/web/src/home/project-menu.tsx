import { Menu } from "@base-ui/react/menu";
import { useRef } from "react";
import { useMayOnServer, useProjectAccess } from "../api/account.ts";
import { Ellipsis } from "../ui/icons.ts";
import { DownloadSubmenu } from "../project/download-menu.tsx";
import { useCopyProject } from "../project/use-copy-project.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";
import { MORE_BUTTON, type MoreProps } from "./more-props.ts";

/** The menu of actions for a project in the list. It is open when first drawn, because a click loads it. */
export default function ProjectMenu({ project, onRename, onArchive, onDelete }: MoreProps) {
  const copy = useCopyProject();
  const access = useProjectAccess(project.id);
  const mayEdit = access?.("project.edit") ?? false;
  const mayCopy = useMayOnServer("projects.create");
  /** Whether the name is being edited: the name field then takes the focus instead of the menu's button. */
  const renaming = useRef(false);
  return (
    <Menu.Root
      defaultOpen
      onOpenChange={(open) => {
        if (open) renaming.current = false;
      }}
    >
      <Menu.Trigger
        aria-label={words.home.moreFor({ name: project.name })}
        title={words.home.more}
        className={MORE_BUTTON}
      >
        <Ellipsis size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Menu.Popup finalFocus={() => !renaming.current} className="floating min-w-40 py-1">
            {mayEdit && (
              <Menu.Item
                className={MENU_ITEM}
                onClick={() => {
                  renaming.current = true;
                  onRename();
                }}
              >
                {words.home.rename}
              </Menu.Item>
            )}
            <DownloadSubmenu project={project.id} />
            {mayCopy && (
              <Menu.Item className={MENU_ITEM} onClick={() => void copy(project.id)}>
                {words.history.duplicate}
              </Menu.Item>
            )}
            {mayEdit && (
              <Menu.Item className={MENU_ITEM} onClick={() => onArchive()}>
                {project.archived ? words.home.unarchive : words.home.archiveIt}
              </Menu.Item>
            )}
            {access?.("project.delete") && (
              <Menu.Item className={`${MENU_ITEM} text-failed`} onClick={() => onDelete()}>
                {words.home.delete}
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
