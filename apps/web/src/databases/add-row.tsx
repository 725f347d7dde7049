import type { TableColumn } from "@treadle/protocol";
import { useState } from "react";
import { visibleName } from "../files/tree.ts";
import { Button } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { Field } from "../ui/field.tsx";
import { words } from "../words/words.ts";

/** A new row; empty fields get the table's default values. */
export function AddRow({
  columns,
  busy,
  onAdd,
}: {
  columns: readonly TableColumn[];
  busy: boolean;
  onAdd: (values: Record<string, string>) => Promise<boolean>;
}) {
  const [values, setValues] = useState<Record<string, string>>();
  const [wasOpen, setWasOpen] = useState(false);
  if (!values)
    return (
      <Button
        autoFocus={wasOpen}
        onClick={() => {
          setWasOpen(true);
          setValues({});
        }}
      >
        {words.databases.addRow}
      </Button>
    );
  const send = async () => {
    const filled = Object.entries(values).filter(([, text]) => text !== "");
    if (await onAdd(Object.fromEntries(filled))) setValues(undefined);
  };
  return (
    <form
      className="w-full space-y-2 rounded border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
        // Escape would close the dialog as well.
        event.stopPropagation();
        setValues(undefined);
      }}
    >
      <div className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-2">
        {columns.map(({ name, type }, index) => (
          <Field
            key={name}
            autoFocus={index === 0}
            label={visibleName(name)}
            value={values[name] ?? ""}
            placeholder={visibleName(type)}
            onText={(text) => setValues({ ...values, [name]: text })}
          />
        ))}
      </div>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={busy}>
          {words.databases.addRow}
        </Button>
        <Button kind="quiet" onClick={() => setValues(undefined)}>
          {words.databases.cancel}
        </Button>
      </div>
    </form>
  );
}
