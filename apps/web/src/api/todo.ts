import type { TodoItem } from "@treadle/protocol";
import { ApiFailure, getJson, sendJson } from "./request.ts";

const at = (project: string) => `/api/projects/${encodeURIComponent(project)}/todo`;

/**
 * Changes a project's list of work. Where model or somebody else changed it meanwhile, the change is made to the list
 * that stands by then.
 */
export async function changeTodo(
  project: string,
  before: readonly TodoItem[],
  change: (items: readonly TodoItem[]) => TodoItem[],
): Promise<void> {
  const put = (items: readonly TodoItem[]) =>
    sendJson("PUT", at(project), { before: items, items: change(items) });
  try {
    await put(before);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "changed") throw error;
    await put((await getJson<{ items: TodoItem[] }>(at(project))).items);
  }
}
