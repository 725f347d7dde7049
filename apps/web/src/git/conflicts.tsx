import { useState } from "react";
import type { Conflict, Resolution } from "../api/git.ts";
import { visibleName } from "../files/tree.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { hasMarks, openConflicts, resolutionsOf, type Choices } from "./resolutions.ts";

/** Files that both sides changed, with both texts; nothing changes until every conflict is resolved. */
export function Conflicts({
  conflicts,
  busy,
  onSettle,
}: {
  conflicts: readonly Conflict[];
  busy: boolean;
  onSettle: (resolutions: Record<string, Resolution>) => void;
}) {
  const [choices, setChoices] = useState<Choices>(new Map());
  const resolutions = resolutionsOf(conflicts, choices);
  return (
    <section aria-label={words.git.conflicts} className="space-y-4 border-t border-line pt-4">
      <p>{words.git.conflictsAbout}</p>
      {conflicts.map((conflict) => (
        <OneConflict
          key={conflict.path}
          conflict={conflict}
          choice={choices.get(conflict.path)}
          onChoose={(choice) => setChoices(new Map(choices).set(conflict.path, choice))}
        />
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="primary"
          size="medium"
          disabled={busy || resolutions === undefined}
          onClick={() => resolutions && onSettle(resolutions)}
        >
          {words.git.settle}
        </Button>
        {resolutions === undefined && (
          <p className="numbers text-small text-quiet">
            {words.git.stillOpen({ amount: openConflicts(conflicts, choices) })}
          </p>
        )}
      </div>
    </section>
  );
}

interface OneConflictProps {
  conflict: Conflict;
  choice: Resolution | undefined;
  onChoose: (choice: Resolution) => void;
}

function OneConflict({ conflict, choice, onChoose }: OneConflictProps) {
  const { path, merged, ours, theirs, binary } = conflict;
  const name = visibleName(path);
  const side = choice && "take" in choice ? choice.take : undefined;
  const edited = choice && "text" in choice ? choice.text : undefined;
  const option = (label: string, pressed: boolean, onClick: () => void) => (
    <Button
      kind={pressed ? "primary" : "plain"}
      aria-pressed={pressed}
      onClick={() => !pressed && onClick()}
    >
      {label}
    </Button>
  );
  return (
    <div role="group" aria-label={name} className="rounded border border-line">
      <div className="flex flex-wrap items-center gap-2 p-2">
        <span className="min-w-40 flex-1 font-mono text-small break-all">{name}</span>
        {option(words.git.takeOurs, side === "ours", () => onChoose({ take: "ours" }))}
        {option(words.git.takeTheirs, side === "theirs", () => onChoose({ take: "theirs" }))}
        {merged !== undefined &&
          option(words.git.takeBoth, edited !== undefined, () => onChoose({ text: merged }))}
      </div>
      {edited === undefined ? (
        <div className="grid border-t border-line wide:grid-cols-2">
          <Side name={words.git.ours} text={ours} binary={binary} isDiscarded={side === "theirs"} />
          <Side
            name={words.git.theirs}
            text={theirs}
            binary={binary}
            isDiscarded={side === "ours"}
          />
        </div>
      ) : (
        <>
          <textarea
            aria-label={words.git.bothOf({ name })}
            value={edited}
            onChange={(event) => onChoose({ text: event.target.value })}
            spellCheck={false}
            wrap="off"
            className="block h-[30vh] w-full resize-y border-t border-line bg-paper p-2 font-mono text-small"
          />
          {hasMarks(edited) && (
            <p className="px-2 py-1 text-small text-unsure">{words.git.marks}</p>
          )}
        </>
      )}
    </div>
  );
}

function Side({
  name,
  text,
  binary,
  isDiscarded,
}: {
  name: string;
  text: string | undefined;
  binary: boolean;
  /** Whether the other text is chosen. */
  isDiscarded: boolean;
}) {
  return (
    <figure
      className={`min-w-0 border-line wide:not-first:border-l ${isDiscarded ? "opacity-50" : ""}`}
    >
      <figcaption className="px-2 pt-1 text-small text-quiet">{name}</figcaption>
      <pre
        tabIndex={0}
        aria-label={name}
        className="max-h-[30vh] overflow-auto px-2 pb-2 font-mono text-small"
      >
        {text ?? (binary ? words.files.noText : words.git.notThere)}
      </pre>
    </figure>
  );
}
