import { readHealth } from "../api/projects.ts";

/**
 * Reloads the page once its server answers; otherwise the browser would show its own error page. What was typed is kept,
 * as at any reload.
 * @throws if the server does not answer
 */
export async function reloadPage(): Promise<void> {
  await readHealth();
  location.reload();
}
