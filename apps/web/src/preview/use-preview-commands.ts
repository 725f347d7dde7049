import { useCommand } from "../commands/available.ts";
import { useWork } from "../project/work-store.ts";

/** What palette and keys do with the running app. What is asked of the preview is seen in it. */
export function usePreviewCommands({
  address,
  ...acts
}: {
  onReload: () => void;
  onSelect: (() => void) | false;
  onRecord: (() => void) | false;
  onPicture: () => void;
  onConsole: () => void;
  onScheme: () => void;
  onFull: (() => void) | false;
  address: string;
}): void {
  const chooseTab = useWork((state) => state.chooseTab);
  const shown = (act: (() => void) | false) =>
    act &&
    (() => {
      chooseTab("preview");
      act();
    });
  useCommand("reload", shown(acts.onReload));
  useCommand("select", shown(acts.onSelect));
  useCommand("recordCheck", shown(acts.onRecord));
  useCommand("picture", shown(acts.onPicture));
  useCommand("console", shown(acts.onConsole));
  useCommand("scheme", shown(acts.onScheme));
  useCommand("fullScreen", shown(acts.onFull));
  useCommand("ownTab", () => window.open(address, "_blank", "noopener"));
}
