import { useEffect, useReducer, useState } from "react";
import { changeTasks, keepTasks, readTasks, type Change, type Task } from "./tasks.ts";

/** The tasks, kept in this browser and the same in all of its tabs. */
export function useTasks(): { tasks: Task[]; change: (change: Change) => void; kept: boolean } {
  const [tasks, change] = useReducer(changeTasks, undefined, readTasks);
  const [kept, setKept] = useState(true);

  useEffect(() => setKept(keepTasks(tasks)), [tasks]);

  useEffect(() => {
    // Only other tabs are told of a change, so this does not answer itself.
    const follow = () => change({ type: "restore", tasks: readTasks() });
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, []);

  return { tasks, change, kept };
}
