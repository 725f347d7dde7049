import { useCommand } from "../commands/available.ts";
import { useWork } from "../project/work-store.ts";

/** Offers the palette commands and keyboard shortcuts for the running app. Running one shows the preview. */
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
