import { useRef } from "react";
import { Paperclip } from "../ui/icons.ts";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { Button } from "../ui/button.tsx";
import { withNames, type AddedFile } from "./added-files.ts";
import { words } from "../words/words.ts";

/** Selects files of any kind from this computer. They can also be pasted or dropped. */
export function AttachButton({ onFiles }: { onFiles: (files: AddedFile[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useCommand("attach", () => input.current?.click());
  return (
    <>
      <Button
        kind="quiet"
        aria-label={words.attachments.addFiles}
        {...keysHint("attach", words.attachments.addAbout)}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={15} aria-hidden="true" />
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.attachments.filesToAdd}
        onChange={(event) => {
          onFiles(withNames(event.target.files ?? []));
          // Allows the same file to be selected again.
          event.target.value = "";
        }}
      />
    </>
  );
}
