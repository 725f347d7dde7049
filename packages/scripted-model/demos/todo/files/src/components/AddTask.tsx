import { useRef, useState, type SubmitEvent } from "react";

export function AddTask({ onAdd }: { onAdd: (text: string) => void }) {
  const [text, setText] = useState("");
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const wanted = text.trim();
    setMissing(wanted === "");
    field.current?.focus();
    if (wanted === "") return;
    onAdd(wanted);
    setText("");
  }

  return (
    <form className="add" onSubmit={submit} noValidate>
      <label htmlFor="new-task">What needs doing?</label>
      <div className="add-line">
        <input
          id="new-task"
          ref={field}
          value={text}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="done"
          aria-invalid={missing}
          aria-describedby={missing ? "new-task-error" : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setMissing(false);
          }}
        />
        <button type="submit">Add</button>
      </div>
      {missing && (
        <p id="new-task-error" className="error">
          Write a few words first.
        </p>
      )}
    </form>
  );
}
