import { useId, useRef, useState, type ComponentProps } from "react";
import { Field } from "../ui/field.tsx";
import { visible } from "@treadle/protocol/safe-text";

/** Maximum characters of an argument. */
const MAX_ARGUMENT_CHARS = 20_000;

/** One argument of a prompt, with its server's completions. */
export function ArgumentField({
  complete,
  value,
  onText,
  ...rest
}: ComponentProps<typeof Field> & {
  value: string;
  /** Undefined if its server does not support completion. */
  complete?: (typed: string) => Promise<string[]>;
}) {
  const id = useId();
  const [offered, setOffered] = useState<readonly string[]>([]);
  const asked = useRef(0);
  const offer = (typed: string) => {
    const serial = ++asked.current;
    complete?.(typed).then(
      (values) => {
        if (serial === asked.current) setOffered(values);
      },
      // Completion is optional, so failures are ignored.
      () => setOffered([]),
    );
  };
  return (
    <div className="flex">
      <Field
        {...rest}
        value={value}
        maxLength={MAX_ARGUMENT_CHARS}
        onFocus={() => offer(value)}
        onText={(typed) => {
          onText(typed);
          offer(typed);
        }}
        list={complete && id}
      />
      {complete && (
        <datalist id={id}>
          {offered.map((one) => (
            <option key={one} value={one}>
              {visible(one)}
            </option>
          ))}
        </datalist>
      )}
    </div>
  );
}
