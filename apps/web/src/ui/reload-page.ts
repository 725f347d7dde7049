import { readHealth } from "../api/projects.ts";

/**
 * Reloads the page if its server answers; otherwise the browser would show its own error page. Typed text survives, as
 * at any reload.
 * @throws if the server does not answer
 */
export async function reloadPage(): Promise<void> {
  await readHealth();
  location.reload();
}
