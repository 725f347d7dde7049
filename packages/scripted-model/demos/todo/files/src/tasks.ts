/** What a task is, and how a list of them is changed and kept. */
export interface Task {
  id: string;
  text: string;
  done: boolean;
}

export type Filter = "all" | "open" | "done";

export type Change =
  | { type: "add"; id: string; text: string }
  | { type: "toggle"; id: string }
  | { type: "edit"; id: string; text: string }
  | { type: "remove"; ids: string[] }
  | { type: "restore"; tasks: Task[] };

export function changeTasks(tasks: Task[], change: Change): Task[] {
  switch (change.type) {
    case "add":
      return [...tasks, { id: change.id, text: change.text, done: false }];
    case "toggle":
      return tasks.map((task) => (task.id === change.id ? { ...task, done: !task.done } : task));
    case "edit":
      return tasks.map((task) => (task.id === change.id ? { ...task, text: change.text } : task));
    case "remove":
      return tasks.filter((task) => !change.ids.includes(task.id));
    case "restore":
      return change.tasks;
  }
}

export function filterTasks(tasks: Task[], filter: Filter): Task[] {
  if (filter === "all") return tasks;
  return tasks.filter((task) => task.done === (filter === "done"));
}

const KEY = "todo.tasks";

/** What was kept; an empty list where nothing was, or where it cannot be read. */
export function readTasks(): Task[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isTask) : [];
  } catch {
    return [];
  }
}

/** False where the browser keeps nothing (private windows, storage full). */
export function keepTasks(tasks: Task[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(tasks));
    return true;
  } catch {
    return false;
  }
}

function isTask(value: unknown): value is Task {
  if (typeof value !== "object" || value === null) return false;
  const task = value as Record<string, unknown>;
  return (
    typeof task.id === "string" && typeof task.text === "string" && typeof task.done === "boolean"
  );
}
