import { useRef } from "react";
import { Paperclip } from "../ui/icons.ts";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { Button } from "../ui/button.tsx";
import { named, type GivenFile } from "./given-files.ts";
import { words } from "../words/words.ts";

/** Chooses files of any kind from this machine. They can be pasted and dropped as well. */
export function AttachButton({ onFiles }: { onFiles: (files: GivenFile[]) => void }) {
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
          onFiles(named(event.target.files ?? []));
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
