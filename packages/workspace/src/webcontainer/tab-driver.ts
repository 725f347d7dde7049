import type { WorkspaceDriver } from "../types.ts";
import { withOpen } from "../with-open.ts";
import { createTabWorkspace } from "./tab-workspace.ts";
import type { Tabs } from "./tabs.ts";

/**
 * The driver `webcontainer`: projects with `runsIn: "tab"` have the files of `base` and run in the
 * person's tab; `base` runs all others.
 */
export function withTabs(base: WorkspaceDriver, tabs: Tabs): WorkspaceDriver {
  return withOpen(base, async (options) => {
    const opened = await base.open(options);
    return options.runsIn === "tab"
      ? createTabWorkspace(opened, tabs.get(options.project))
      : opened;
  });
}
