import { filePlaces } from "@treadle/protocol/evidence";
import { useWork } from "../project/work-store.ts";
import { useKnownFiles } from "./use-known-files.ts";
import { words } from "../words/words.ts";

/** Turns source positions in a text into links that open the file. The text must already be safe to show. */
export function Placed({ children }: { children: string }) {
  const names = useKnownFiles();
  const openFile = useWork((state) => state.openFile);
  return filePlaces(children, names).map(({ text, place }, index) =>
    place ? (
      <button
        key={index}
        type="button"
        title={words.evidence.openAt({ path: place.path, line: place.line })}
        onClick={() => openFile(place.path, place)}
        className="rounded font-mono break-all underline decoration-line underline-offset-2 hover:text-accent hover:decoration-accent"
      >
        {text}
      </button>
    ) : (
      text
    ),
  );
}
