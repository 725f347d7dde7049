import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { visible } from "@treadle/protocol/safe-text";
import { useMemo } from "react";
import { listProjects } from "../api/projects.ts";
import { useFileNames } from "../api/use-file-names.ts";
import { runCommand, useAvailable } from "../commands/available.ts";
import { COMMAND_IDS } from "../commands/list.ts";
import { OF_A_PROJECT, SETTINGS_SECTIONS, useSettingsPlace } from "../project/settings-place.ts";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";
import type { Item } from "./items.ts";

/** All items currently available: commands, settings, other projects, and the open project's files. */
export function useItems(filesAlone: boolean): readonly Item[] {
  const { project = "" } = useParams({ strict: false });
  const navigate = useNavigate();
  const runs = useAvailable((state) => state.runs);
  const settings = useSettingsPlace();
  const names = useFileNames(project);
  const { data } = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => listProjects(signal),
  });
  const openFile = useWork((state) => state.openFile);

  const files = useMemo(
    () =>
      names.map((path): Item => ({
        id: `file ${project} ${path}`,
        kind: "file",
        title: visible(path),
        run: () => openFile(path),
      })),
    [names, project, openFile],
  );
  if (filesAlone) return files;
  const commands = COMMAND_IDS.filter((id) => id !== "palette" && runs.has(id)).map((id): Item => ({
    id: `command ${id}`,
    kind: "command",
    title: words.commands.titles[id],
    alias: id,
    command: id,
    run: () => runCommand(id),
  }));
  const sections = SETTINGS_SECTIONS.filter((id) => project !== "" || !OF_A_PROJECT.has(id)).map(
    (id): Item => ({
      id: `settings ${id}`,
      kind: "settings",
      title: words.commands.settingsOf({ section: words.settingsPage.sections[id] }),
      alias: `settings ${id}`,
      run: () => settings.open(id),
    }),
  );
  const others = (data?.projects ?? [])
    .filter(({ id }) => id !== project)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ id, name }): Item => ({
      id: `project ${id}`,
      kind: "project",
      title: visible(name),
      run: () => navigate({ to: "/p/$project", params: { project: id } }),
    }));
  return [...commands, ...sections, ...others, ...files];
}
