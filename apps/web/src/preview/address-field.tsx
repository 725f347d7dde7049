import { useState } from "react";
import { words } from "../words/words.ts";

/** Where the app is, and where it is to go. */
export function AddressField({
  path,
  onGo,
}: {
  path: string;
  /** Goes to what was typed; false when it is not an address of this app. */
  onGo: (typed: string) => boolean;
}) {
  /** What is being typed; undefined: the field shows where the app is. */
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  return (
    <form
      className="mx-1 min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        const gone = typed === undefined || onGo(typed);
        setWrong(!gone);
        if (gone) setTyped(undefined);
      }}
    >
      <input
        aria-label={words.preview.address}
        aria-invalid={wrong}
        title={wrong ? words.preview.onlyOwn : undefined}
        value={typed ?? path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(false);
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          setTyped(undefined);
          setWrong(false);
        }}
        className="h-7 w-full rounded border border-edge bg-raised px-2 font-mono text-small aria-invalid:border-failed"
      />
    </form>
  );
}
