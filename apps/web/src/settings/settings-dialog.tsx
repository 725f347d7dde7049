import { Dialog } from "@base-ui/react/dialog";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { DialogHead } from "../ui/dialog-head.tsx";
import { McpSection } from "../mcp/mcp-section.tsx";
import { BudgetSection } from "./budget-section.tsx";
import { ApprovalsSection } from "./approvals-section.tsx";
import OwnRulesSection from "./own-rules-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { AllowedHostsSection } from "./allowed-hosts-section.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { closeProjectSettings, useSettingsStore } from "../project/settings-store.ts";
import { useProjectSettings } from "./use-project-settings.ts";
import { words } from "../words/words.ts";

/** What the project may reach, what its server is given, and what its turns may use. */
export function SettingsDialog() {
  const open = useSettingsStore((state) => state.open);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && closeProjectSettings()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-40" />
        <Dialog.Popup className="floating fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-130 -translate-x-1/2">
          <DialogHead title={words.projectSettings.settings} />
          <Content />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Content() {
  const project = useProjectId();
  const { settings, error, show } = useProjectSettings(project);
  if (error)
    return (
      <p role="alert" className="p-4 text-failed">
        {sentence(error)}
      </p>
    );
  if (!settings) return <p className="p-4 text-quiet">{words.projectSettings.reading}</p>;
  return (
    <div className="space-y-6 p-4">
      <ApprovalsSection project={project} />
      <RulesSection project={project} />
      <OwnRulesSection />
      <AllowedHostsSection project={project} settings={settings} onChanged={show} />
      <SecretsSection project={project} settings={settings} onChanged={show} />
      <McpSection project={project} />
      <BudgetSection project={project} settings={settings} onChanged={show} />
    </div>
  );
}
