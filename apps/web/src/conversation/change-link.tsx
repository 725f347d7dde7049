import type { LineCount, ProjectPath } from "@treadle/protocol";
import { turnCheckpoints } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { showChanges } from "../project/changes-store.ts";
import { LineCountView } from "../ui/line-count.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { words } from "../words/words.ts";
import { useTurnMessage } from "./turn-message.ts";

/**
 * The number of lines added to and removed from a file, linked to the diff; plain text if no checkpoint exists to
 * compare with. Draws nothing if no lines changed.
 */
export function ChangeLink({
  path,
  lines,
}: {
  path: ProjectPath | undefined;
  lines: LineCount | undefined;
}) {
  const message = useTurnMessage();
  const before = useView((view) => turnOf(view, message)?.before);
  const after = useView((view) => {
    const turn = turnOf(view, message);
    return turn && turnCheckpoints(view, turn).after;
  });
  if (!lines || lines.added + lines.removed === 0) return null;
  if (path === undefined || before === undefined) return <LineCountView lines={lines} />;
  const name = words.changes.ofFile({ name: visible(path) });
  return (
    <button
      type="button"
      title={name}
      onClick={() => showChanges({ from: before, to: after }, path)}
      className="-mx-1 shrink-0 rounded px-1 hover:bg-hover hover:underline pointer-coarse:min-h-9"
    >
      <LineCountView lines={lines} /> <span className="sr-only">{name}</span>
    </button>
  );
}

type View = Parameters<typeof turnCheckpoints>[0];
const turnOf = ({ turns }: View, message: string | undefined) =>
  message === undefined ? undefined : turns.findLast((turn) => turn.message === message);
