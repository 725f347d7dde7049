import { textSince, type Gathered } from "../fold/gathered.ts";
import { shownOutput } from "../ui/format.ts";

/** Lines of a running command that are shown while it goes on. */
const LINES = 8;
/** Characters that those lines are looked for in. */
const LOOK_BACK = 4000;

/** The end of a command's output while it still comes. */
export function LiveOutput({ output }: { output: Gathered }) {
  const text = shownOutput(textSince(output, output.length - LOOK_BACK)).trimEnd();
  return (
    <pre className="overflow-hidden font-mono text-small whitespace-pre-wrap text-quiet">
      {text.split("\n").slice(-LINES).join("\n")}
    </pre>
  );
}
