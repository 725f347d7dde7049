import type { ProjectPath } from "@treadle/protocol";
import { Lock, LockOpen } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { visibleName } from "./tree.ts";
import { useLock } from "./use-locks.ts";

/** Locks a file against changes by the model. For a file in a locked folder it only shows the lock. */
export function LockButton({ path }: { path: ProjectPath }) {
  const { state, toggle } = useLock(path);
  const name = visibleName(path);
  const label =
    state === "own"
      ? words.editor.unlock({ name })
      : state === "folder"
        ? words.editor.lockedByFolder({ name })
        : words.editor.lock({ name });
  return (
    <IconButton
      name={label}
      aria-pressed={state !== undefined}
      disabled={state === "folder"}
      onClick={toggle}
    >
      {state === undefined ? (
        <LockOpen size={15} aria-hidden="true" />
      ) : (
        <Lock size={15} aria-hidden="true" className="text-unsure" />
      )}
    </IconButton>
  );
}
