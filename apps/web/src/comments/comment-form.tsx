import { useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** Maximum characters of a comment, as on the server. */
const COMMENT_CHARS = 4_000;

/** A field for a comment. Enter breaks the line, as in any longer text; Ctrl or Cmd with Enter sends it. */
export function CommentForm({
  label,
  action,
  start = "",
  onTake,
  onCancel,
}: {
  label: string;
  action: string;
  start?: string;
  /** Called with the text. If it rejects, the error is shown and the text stays. */
  onTake: (text: string) => Promise<void>;
  onCancel: () => void;
}) {
  const id = useId();
  const [text, setText] = useState(start);
  const { act, busy, problem } = useAct();
  const isEmpty = text.trim() === "";
  const take = () =>
    act(async () => {
      await onTake(text);
      setText("");
    });
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !isEmpty) void take();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={3}
        value={text}
        maxLength={COMMENT_CHARS}
        placeholder={label}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
        className="w-full rounded border border-edge bg-paper px-2 py-1.5"
      />
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onCancel}>
          {words.comments.cancel}
        </Button>
        <Button type="submit" kind="primary" disabled={busy || isEmpty}>
          {action}
        </Button>
      </div>
    </form>
  );
}
