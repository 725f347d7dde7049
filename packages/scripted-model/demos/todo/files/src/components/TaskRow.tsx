import { useRef, useState, type KeyboardEvent } from "react";
import type { Task } from "../tasks.ts";

interface TaskRowProps {
  task: Task;
  onToggle: () => void;
  onEdit: (text: string) => void;
  onRemove: () => void;
}

export function TaskRow({ task, onToggle, onEdit, onRemove }: TaskRowProps) {
  const [draft, setDraft] = useState<string>();
  const editButton = useRef<HTMLButtonElement>(null);

  function finish(save: boolean, backToButton: boolean) {
    const text = draft?.trim() ?? "";
    if (save && text !== "" && text !== task.text) onEdit(text);
    setDraft(undefined);
    // The button is back only after the next paint.
    if (backToButton) requestAnimationFrame(() => editButton.current?.focus());
  }

  function keyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") finish(true, true);
    if (event.key === "Escape") finish(false, true);
  }

  if (draft !== undefined) {
    return (
      <li className="task editing">
        <input
          aria-label={`Change “${task.text}”`}
          autoFocus
          value={draft}
          maxLength={200}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={keyDown}
          onBlur={() => finish(true, false)}
        />
        <span className="hint">Enter saves, Esc leaves it</span>
      </li>
    );
  }

  return (
    <li className={task.done ? "task done" : "task"}>
      <label onDoubleClick={() => setDraft(task.text)}>
        <input type="checkbox" checked={task.done} onChange={onToggle} />
        <svg className="tick" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3.5 12.5c2 1.6 3.6 3.6 5 6.2C11.6 12.5 15.4 7.2 21.5 3" pathLength="1" />
        </svg>
        <span className="text">{task.text}</span>
      </label>
      <button
        type="button"
        className="quiet"
        ref={editButton}
        aria-label={`Edit “${task.text}”`}
        onClick={() => setDraft(task.text)}
      >
        Edit
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={`Delete “${task.text}”`}
        onClick={onRemove}
      >
        Delete
      </button>
    </li>
  );
}
