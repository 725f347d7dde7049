/** Where the page's line to a language server of the project begins. */
export const servePath = (project: string, server: string): string =>
  `/api/projects/${encodeURIComponent(project)}/language-servers/${server}`;
