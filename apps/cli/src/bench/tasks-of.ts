import { readFileSync } from "node:fs";
import { readTasks, type Task } from "./read-tasks.ts";

/** The tasks of a file, or a message about why it cannot be used. */
export function tasksOf(file: string): Task[] | { wrong: string } {
  try {
    const read = readTasks(readFileSync(file, "utf8"));
    return "wrong" in read ? { wrong: `${file} cannot be used. ${read.wrong}` } : read.tasks;
  } catch (error) {
    return { wrong: `${file} cannot be read: ${(error as Error).message}.` };
  }
}
