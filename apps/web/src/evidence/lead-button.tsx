import { useState } from "react";
import { sentence } from "../api/request.ts";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import type { CommandId } from "../commands/list.ts";
import { saveEdits } from "../project/unsaved.ts";
import { Button } from "../ui/button.tsx";
import { noticeError } from "../ui/notice.ts";

/**
 * The button for the project's next step, shown only while it applies. Saves unsaved text first.
 * @param command the palette command that does the same
 */
export function LeadButton({
  name,
  about,
  command,
  offered,
  act,
}: {
  name: string;
  about?: string;
  command: CommandId;
  offered: boolean;
  act: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await saveEdits();
      await act();
    } catch (error) {
      noticeError(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  useCommand(command, offered && !busy && run);
  if (!offered) return null;
  return (
    <Button
      kind="primary"
      className="ml-1"
      disabled={busy}
      {...keysHint(command, about ?? name)}
      onClick={() => void run()}
    >
      {name}
    </Button>
  );
}
