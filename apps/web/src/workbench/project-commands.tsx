import { exportAddress } from "../api/projects.ts";
import { useCommand } from "../commands/available.ts";
import { showOverlay } from "../commands/overlay-store.ts";
import { openContext } from "../project/context-store.ts";
import { openDesign } from "../project/design-store.ts";
import { useSettingsPlace } from "../project/settings-place.ts";
import { useSearch } from "../search/search-store.ts";
import { useMay } from "../project/use-may.ts";
import { useProject } from "../project/use-project.ts";
import { useWork } from "../project/work-store.ts";
import { toggleTerminals, useTerminalsShown } from "../project/terminals-store.ts";
import { showChanges } from "../project/changes-store.ts";

/** Offers the palette commands and shortcuts of the open project that have no button. */
export function ProjectCommands({ narrow }: { narrow: boolean }) {
  const { id } = useProject();
  const { chooseTab, showPane } = useWork.getState();
  const settings = useSettingsPlace();
  useCommand("file", () => showOverlay("files"));
  useCommand("symbol", () => showOverlay("symbols"));
  const search = (replace: boolean) => {
    const selected = String(getSelection() ?? "");
    chooseTab("code");
    useSearch.getState().open(selected.includes("\n") ? undefined : selected, replace);
  };
  useCommand("searchAll", () => search(false));
  useCommand("replaceAll", () => search(true));
  useCommand("preview", () => chooseTab("preview"));
  useCommand("code", () => chooseTab("code"));
  useCommand("changes", () => showChanges(undefined));
  const mayUseTerminals = useMay("project.terminals");
  const showTerminals = () => {
    // On a narrow page the terminals are below the code.
    const { pane } = useWork.getState();
    const { shown } = useTerminalsShown.getState();
    const hidden = narrow && pane !== "code";
    if (hidden) chooseTab("code");
    if (!hidden || !shown) toggleTerminals();
  };
  useCommand("terminal", mayUseTerminals && showTerminals);
  useCommand("history", narrow && (() => showPane("more")));
  useCommand("context", openContext);
  useCommand("design", openDesign);
  useCommand("projectSettings", () => settings.open("approvals"));
  useCommand("download", () => {
    const link = document.createElement("a");
    link.href = exportAddress(id);
    link.download = "";
    link.click();
  });
  return null;
}
