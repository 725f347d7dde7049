import { TabLink } from "./tab-link.ts";

/** The tabs of all projects: each project has a link, whether or not a tab is open. */
export interface Tabs {
  get(project: string): TabLink;
}

export function createTabs(): Tabs {
  const links = new Map<string, TabLink>();
  return {
    get(project) {
      const known = links.get(project);
      if (known) return known;
      const link = new TabLink();
      links.set(project, link);
      return link;
    },
  };
}
