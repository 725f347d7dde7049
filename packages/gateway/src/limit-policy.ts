/** What a preview's page may fetch where the person wants it held to its project's hosts. */
export interface PreviewLimit {
  /** Entries of the project's list: `a.com`, `*.a.com`, each with `:port` or without. */
  hosts: readonly string[];
  staticHosts: readonly string[];
}

/**
 * A content security policy beside the app's own: both have to allow what is fetched. It says nothing of scripts and
 * styles in the page itself, and cannot keep the page from going elsewhere as a whole.
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
