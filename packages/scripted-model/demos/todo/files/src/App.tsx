import { useEffect, useState } from "react";
import { AddTask } from "./components/AddTask.tsx";
import { EmptySheet } from "./components/EmptySheet.tsx";
import { Filters } from "./components/Filters.tsx";
import { Tally } from "./components/Tally.tsx";
import { TaskRow } from "./components/TaskRow.tsx";
import { filterTasks, type Task } from "./tasks.ts";
import { useFilter } from "./useFilter.ts";
import { useTasks } from "./useTasks.ts";

const UNDO_MS = 8000;

export function App() {
  const { tasks, change, kept } = useTasks();
  const filter = useFilter();
  const [removed, setRemoved] = useState<{ words: string; before: Task[] }>();
  const done = filterTasks(tasks, "done");
  const left = tasks.length - done.length;
  const shown = filterTasks(tasks, filter);

  useEffect(() => {
    if (removed === undefined) return;
    const timer = setTimeout(() => setRemoved(undefined), UNDO_MS);
    return () => clearTimeout(timer);
  }, [removed]);

  function remove(gone: Task[], words: string) {
    setRemoved({ words, before: tasks });
    change({ type: "remove", ids: gone.map((task) => task.id) });
  }

  function undo() {
    if (removed === undefined) return;
    change({ type: "restore", tasks: removed.before });
    setRemoved(undefined);
  }

  return (
    <main className="sheet">
      <header>
        <div>
          <h1>Todo</h1>
          <p className="left" aria-live="polite">
            {summary(left, done.length)}
          </p>
        </div>
        {done.length > 0 && <Tally count={done.length} />}
      </header>

      <AddTask
        onAdd={(text) => {
          setRemoved(undefined);
          change({ type: "add", id: newId(), text });
        }}
      />

      {tasks.length > 0 && (
        <Filters chosen={filter} counts={{ all: tasks.length, open: left, done: done.length }} />
      )}

      {shown.length === 0 ? (
        <EmptySheet filter={filter} />
      ) : (
        <ul className="tasks">
          {shown.map((task) => (
            <TaskRow
              key={task.id}
              task={task}
              onToggle={() => {
                setRemoved(undefined);
                change({ type: "toggle", id: task.id });
              }}
              onEdit={(text) => {
                setRemoved(undefined);
                change({ type: "edit", id: task.id, text });
              }}
              onRemove={() => remove([task], `Deleted “${task.text}”`)}
            />
          ))}
        </ul>
      )}

      {done.length > 0 && (
        <footer>
          <button
            type="button"
            className="quiet"
            onClick={() =>
              remove(done, done.length === 1 ? "Deleted 1 finished task" : `Deleted ${done.length} finished tasks`)
            }
          >
            Delete finished tasks
          </button>
        </footer>
      )}

      {!kept && <p className="error">This browser keeps nothing: the list is gone when you leave.</p>}

      <div className="notice" role="status">
        {removed !== undefined && (
          <p>
            <span>{removed.words}</span>
            <button type="button" onClick={undo}>
              Undo
            </button>
          </p>
        )}
      </div>
    </main>
  );
}

/** `crypto.randomUUID` is missing on plain http addresses other than this machine's. */
function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}

function summary(left: number, done: number): string {
  if (left === 0) return done === 0 ? "Nothing written down" : "All done";
  return left === 1 ? "1 thing left" : `${left} things left`;
}
