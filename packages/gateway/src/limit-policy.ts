/** What a preview's page may fetch if the person limits it to its project's hosts. */
export interface PreviewLimit {
  /** Entries of the project's list: `a.com`, `*.a.com`, each with or without `:port`. */
  hosts: readonly string[];
  staticHosts: readonly string[];
}

/**
 * A content security policy in addition to the app's own: both have to allow a resource. It does
 * not restrict inline scripts and styles, and cannot prevent the page from navigating.
 * @param own origins of the project's ports
 */
export function limitPolicy({ hosts, staticHosts }: PreviewLimit, own: readonly string[]): string {
  const outside = hosts.flatMap((host) => [`https://${host}`, `http://${host}`, `wss://${host}`]);
  const sockets = own.map((origin) => origin.replace(/^http/, "ws"));
  const questions = staticHosts.map((host) => `https://${host}`);
  const sources = ["'self'", ...own, ...sockets, ...outside].join(" ");
  return [
    `default-src ${sources} ${questions.join(" ")} data: blob: 'unsafe-inline' 'unsafe-eval'`.replace(
      /\s+/g,
      " ",
    ),
    `form-action ${sources}`,
    "object-src 'none'",
  ].join("; ");
}
