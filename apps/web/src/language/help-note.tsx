import type { ProjectPath } from "@treadle/protocol";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { useHelp } from "./help-state.ts";
import { servedBy } from "./served-languages.ts";

/** Shown if a file's language server has failed, with a button to start it again. */
export function HelpNote({ path }: { path: ProjectPath }) {
  const name = servedBy(path)?.server ?? "";
  const server = useHelp(({ servers }) => servers.get(name));
  if (server?.state !== "failed") return null;
  return (
    <>
      <span className="truncate text-small text-quiet" title={server.problem}>
        {words.editor.noHelp}
      </span>
      <Button kind="quiet" onClick={server.retry}>
        {words.files.tryAgain}
      </Button>
    </>
  );
}
