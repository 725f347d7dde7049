import { Menu } from "@base-ui/react/menu";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { noticeError } from "../ui/notice.ts";
import { useCommand } from "../commands/available.ts";
import { useMayOnServer, useMe } from "../api/account.ts";
import { openMembers } from "../members/members-store.ts";
import { useMay } from "../project/use-may.ts";
import { changeProject } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { RenameField } from "../ui/rename-field.tsx";
import { DownloadSubmenu } from "../project/download-menu.tsx";
import { openGit } from "../git/git-store.ts";
import { openDatabases } from "../project/databases-store.ts";
import { openDesign } from "../project/design-store.ts";
import { openContext } from "../project/context-store.ts";
import { useSettingsPlace } from "../project/settings-place.ts";
import { TotalCost } from "../usage/total-cost.tsx";
import { openChecks } from "../checks/checks-store.ts";
import { useProject, useRefreshProject } from "../project/use-project.ts";
import { visible } from "@treadle/protocol/safe-text";
import { ChevronDown } from "../ui/icons.ts";
import { words } from "../words/words.ts";
import { useCopyProject } from "../project/use-copy-project.ts";
import { useDeleteProject } from "../project/use-delete-project.ts";

/** The project's name, and the actions on the whole project. */
export function NameMenu() {
  const { id, name, demo, origin } = useProject();
  const copy = useCopyProject();
  const refresh = useRefreshProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const settings = useSettingsPlace();
  /** The chosen action opens a text field, so the menu does not restore the focus. */
  const leaving = useRef(false);
  /** A dialog opens after the menu has closed, so that it takes the focus from the menu's button and returns it. */
  const next = useRef<() => void>(undefined);
  const [renaming, setRenaming] = useState(false);
  const { remove } = useDeleteProject();
  const removeThis = async () => {
    if (await remove({ id, name })) await navigate({ to: "/" });
  };
  const isTeam = useMe()?.accounts === true;
  const mayEdit = useMay("project.edit");
  const mayDelete = useMay("project.delete");
  const mayAddMembers = useMay("project.members") && isTeam;
  const mayCopy = useMayOnServer("projects.create");
  useCommand("rename", mayEdit && (() => setRenaming(true)));
  useCommand("delete", mayDelete && (() => void removeThis()));

  const rename = async (next: string) => {
    setRenaming(false);
    try {
      await changeProject(id, { name: next });
      await refresh();
      await client.invalidateQueries({ queryKey: ["projects"] });
    } catch (error) {
      noticeError(sentence(error));
    }
  };

  return (
    <>
      {renaming && <RenameField name={name} onDone={rename} onCancel={() => setRenaming(false)} />}
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
          aria-label={words.workbench.project({ name })}
          className={`h-8 min-w-0 items-center gap-1 rounded px-2 hover:bg-hover pointer-coarse:h-11 ${renaming ? "hidden" : "inline-flex"}`}
        >
          <h1 dir="auto" className="truncate font-semibold">
            {name}
          </h1>
          <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-quiet" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-40">
            <Menu.Popup
              finalFocus={() => !renaming && !leaving.current}
              className="floating min-w-50 py-1"
            >
              {mayEdit && (
                <Menu.Item className={MENU_ITEM} onClick={() => setRenaming(true)}>
                  {words.workbench.rename}
                </Menu.Item>
              )}
              {mayAddMembers && (
                <Menu.Item className={MENU_ITEM} onClick={() => (next.current = openMembers)}>
                  {words.members.title}
                </Menu.Item>
              )}
              <Menu.Item className={MENU_ITEM} onClick={() => (next.current = openChecks)}>
                {words.workbench.checks}
              </Menu.Item>
              <Menu.Item
                className={MENU_ITEM}
                onClick={() => (next.current = () => settings.open("approvals"))}
              >
                {words.workbench.settings}
              </Menu.Item>
              <Menu.Item className={MENU_ITEM} onClick={() => (next.current = openContext)}>
                {words.workbench.context}
              </Menu.Item>
              {mayCopy && (
                <Menu.Item className={MENU_ITEM} onClick={() => void copy(id)}>
                  {words.history.duplicate}
                </Menu.Item>
              )}
              <Menu.Item className={MENU_ITEM} onClick={() => (next.current = openGit)}>
                {words.git.title}
              </Menu.Item>
              <Menu.Item
                className={MENU_ITEM}
                onClick={() => (next.current = () => openDatabases())}
              >
                {words.databases.title}
              </Menu.Item>
              <Menu.Item className={MENU_ITEM} onClick={() => (next.current = openDesign)}>
                {words.design.title}
              </Menu.Item>
              <DownloadSubmenu project={id} />
              {mayDelete && (
                <Menu.Item className={`${MENU_ITEM} text-failed`} onClick={() => void removeThis()}>
                  {words.workbench.delete}
                </Menu.Item>
              )}
              <div className="mt-1 border-t border-line px-3 pt-1.5 pb-0.5 text-small text-quiet">
                <TotalCost />
                {origin && (
                  <p>
                    {words.history.copyOf({
                      name: visible(origin.name),
                      label: visible(origin.label),
                    })}
                  </p>
                )}
                {demo !== undefined && <p>{words.workbench.recorded}</p>}
              </div>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}
