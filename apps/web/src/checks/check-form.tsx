import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { checkMarks } from "../language/check-marks.ts";
import { words } from "../words/words.ts";
import type { Refusal } from "./append-check.ts";

/** A check as text: its name, and one step per line. */
export function CheckForm({
  name: nameBefore,
  body: bodyBefore,
  onSave,
  onClose,
}: {
  name: string;
  body: string;
  onSave: (name: string, body: string) => Promise<Refusal | undefined>;
  onClose: () => void;
}) {
  const { act, busy, problem } = useAct();
  const [name, setName] = useState(nameBefore);
  const [body, setBody] = useState(bodyBefore);
  const [refusal, setRefusal] = useState<Refusal>();
  const [mark] = checkMarks(`## ${name.trim() || "_"}\n${body}\n`);
  const save = () =>
    void act(async () => {
      const refused = await onSave(name.trim(), body);
      setRefusal(refused);
      if (refused === undefined) onClose();
    });
  const trouble = problem ?? (refusal && words.checks.refused[refusal]) ?? mark?.message;
  return (
    <form
      className="space-y-2 rounded border border-line bg-paper p-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <input
        // The person has just asked for this form.
        autoFocus
        aria-label={words.record.name}
        placeholder={words.record.name}
        value={name}
        maxLength={200}
        onChange={({ target }) => setName(target.value)}
        className="h-8 w-full rounded border border-edge bg-raised px-2 pointer-coarse:h-11"
      />
      <textarea
        aria-label={words.checks.steps}
        value={body}
        spellCheck={false}
        autoCapitalize="none"
        aria-invalid={mark !== undefined}
        onChange={({ target }) => setBody(target.value)}
        className="block max-h-[40vh] min-h-24 w-full resize-y rounded border border-edge bg-raised p-2 font-mono text-small field-sizing-content"
      />
      {trouble !== undefined && (
        <p role="alert" className="text-small text-failed">
          {trouble}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onClose}>
          {words.checks.cancel}
        </Button>
        <Button
          kind="primary"
          type="submit"
          disabled={busy || name.trim() === "" || mark !== undefined}
        >
          {words.checks.save}
        </Button>
      </div>
    </form>
  );
}
