import { routesOf } from "./routes-of.ts";
import { useId, useState } from "react";
import { useView } from "../live/live-context.tsx";
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
  const id = useId();
  const evidence = useView((view) => view.evidence);
  const go = (typedPath: string | undefined) => {
    const gone = typedPath === undefined || onGo(typedPath);
    setWrong(!gone);
    if (gone) setTyped(undefined);
  };
  return (
    <form
      className="mx-1 min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        go(typed);
      }}
    >
      <input
        aria-label={words.preview.address}
        aria-invalid={wrong}
        title={wrong ? words.preview.onlyOwn : undefined}
        list={id}
        value={typed ?? path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          const { value } = event.target;
          setTyped(value);
          setWrong(false);
          // A route that is chosen of the list is no typing: it is gone to at once.
          if ((event.nativeEvent as InputEvent).inputType === "insertReplacementText") go(value);
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          setTyped(undefined);
          setWrong(false);
        }}
        className="h-7 w-full rounded border border-edge bg-raised px-2 font-mono text-small aria-invalid:border-failed"
      />
      <datalist id={id}>
        {routesOf(evidence).map((route) => (
          <option key={route} value={route} />
        ))}
      </datalist>
    </form>
  );
}
