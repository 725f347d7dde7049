import type { WorkspaceDriver } from "../types.ts";
import { createTabWorkspace } from "./tab-workspace.ts";
import type { Tabs } from "./tabs.ts";

/**
 * The driver `webcontainer`: projects with `runsIn: "tab"` have the files of `base` and run in the
 * person's tab; `base` runs all others.
 */
export function withTabs(base: WorkspaceDriver, tabs: Tabs): WorkspaceDriver {
  return {
    name: base.name,
    probe: () => base.probe(),
    async open(options) {
      const opened = await base.open(options);
      return options.runsIn === "tab"
        ? createTabWorkspace(opened, tabs.get(options.project))
        : opened;
    },
    prepareTemplates: (onProgress) => base.prepareTemplates(onProgress),
    close: () => base.close(),
  };
}
