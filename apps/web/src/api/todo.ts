import type { TodoItem } from "@treadle/protocol";
import { ApiFailure, getJson, sendJson } from "./request.ts";

const apiPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/todo`;

/**
 * Edits a project's to-do list. If someone else changed it meanwhile, applies the edit to the new list.
 * @throws ApiFailure, also if the list changed a second time
 */
export async function changeTodo(
  project: string,
  before: readonly TodoItem[],
  change: (items: readonly TodoItem[]) => TodoItem[],
): Promise<void> {
  const put = (items: readonly TodoItem[]) =>
    sendJson("PUT", apiPath(project), { before: items, items: change(items) });
  try {
    await put(before);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "changed") throw error;
    await put((await getJson<{ items: TodoItem[] }>(apiPath(project))).items);
  }
}
