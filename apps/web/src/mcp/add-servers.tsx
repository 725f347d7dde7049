import type { McpServerInfo } from "@treadle/protocol";
import { useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words/words.ts";

const EXAMPLE = `{ "mcpServers": { "docs": { "type": "http", "url": "https://…", "headers": { } } } }`;

/** Splits a command line into words; a quoted text is one word. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );

/** Adds servers: a name with a command or an address, or JSON copied from elsewhere. */
export function AddServers({
  editing,
  disabled,
  onSave,
  onCancel,
}: {
  editing: McpServerInfo | undefined;
  disabled: boolean;
  /** Resolves with whether it was saved; otherwise the text stays for correction. */
  onSave: (text: string) => Promise<boolean>;
  onCancel: () => void;
}) {
  const id = useId();
  const [json, setJson] = useState(editing !== undefined);
  const [text, setText] = useState(editing?.config ?? "");
  const [form, setForm] = useState({ name: "", where: "" });
  const name = form.name.trim();
  const where = form.where.trim();
  const complete = json ? text.trim() !== "" : name !== "" && where !== "";
  async function save(): Promise<void> {
    const isSaved = await onSave(json ? text : fromForm());
    if (!isSaved) return;
    setForm({ name: "", where: "" });
    setText("");
    setJson(false);
  }
  function fromForm(): string {
    const [command = "", ...args] = wordsOf(where);
    const server = /^https?:\/\//i.test(where) ? { url: where } : { command, args };
    return JSON.stringify({ mcpServers: { [name]: server } });
  }
  return (
    <form
      className="mt-2 space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete && !disabled) void save();
      }}
    >
      {json ? (
        <div>
          <label htmlFor={id} className="text-small text-quiet">
            {editing ? words.mcp.editAsJson({ name: editing.name }) : words.mcp.asJson}
          </label>
          <textarea
            id={id}
            rows={editing ? 8 : 5}
            value={text}
            // The form is below the list and may be out of sight.
            autoFocus={editing !== undefined}
            placeholder={EXAMPLE}
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
            className="mt-0.5 w-full rounded border border-edge bg-paper px-2 py-1 font-mono text-small"
          />
        </div>
      ) : (
        <div className="flex flex-wrap items-end gap-2">
          <div className="flex min-w-30 flex-1">
            <Field
              label={words.mcp.nameOf}
              placeholder="docs"
              value={form.name}
              onText={(next) => setForm({ ...form, name: next })}
            />
          </div>
          <div className="flex min-w-50 flex-2">
            <Field
              label={words.mcp.where}
              placeholder={words.mcp.whereHint}
              value={form.where}
              onText={(next) => setForm({ ...form, where: next })}
            />
          </div>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={disabled || !complete}>
          {editing ? words.mcp.save : words.mcp.add}
        </Button>
        {editing ? (
          <Button onClick={onCancel}>{words.mcp.cancel}</Button>
        ) : (
          <Button kind="quiet" onClick={() => setJson(!json)}>
            {json ? words.mcp.useForm : words.mcp.pasteJson}
          </Button>
        )}
      </div>
    </form>
  );
}
