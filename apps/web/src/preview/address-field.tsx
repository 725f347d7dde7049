import { routesOf } from "./routes-of.ts";
import { useId, useState } from "react";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** Shows the app's current address, and navigates to another. */
export function AddressField({
  path,
  onGo,
}: {
  path: string;
  /** Navigates to the typed address; false if it is not an address of this app. */
  onGo: (typed: string) => boolean;
}) {
  /** The text being typed; undefined shows the app's current address. */
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const id = useId();
  const evidence = useView((view) => view.evidence);
  const go = (typedPath: string | undefined) => {
    const isAccepted = typedPath === undefined || onGo(typedPath);
    setWrong(!isAccepted);
    if (isAccepted) setTyped(undefined);
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
          // Choosing a route from the list is not typing: it navigates at once.
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
