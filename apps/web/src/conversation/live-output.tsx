import { textSince, type Gathered } from "../fold/gathered.ts";
import { shownOutput } from "../ui/format.ts";

/** Lines of a running command's output that are shown. */
const MAX_LINES = 8;
/** How far to search backwards for those lines, in characters. */
const LOOK_BACK_CHARS = 4000;

/** The last lines of a running command's output. */
export function LiveOutput({ output }: { output: Gathered }) {
  const text = shownOutput(textSince(output, output.length - LOOK_BACK_CHARS)).trimEnd();
  return (
    <pre className="overflow-hidden font-mono text-small whitespace-pre-wrap text-quiet">
      {text.split("\n").slice(-MAX_LINES).join("\n")}
    </pre>
  );
}
