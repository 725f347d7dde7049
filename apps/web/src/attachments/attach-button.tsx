import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { Button } from "../ui/button.tsx";
import { named, type GivenFile } from "./given-files.ts";

/** Chooses files of any kind from this machine. They can be pasted and dropped as well. */
export function AttachButton({ onFiles }: { onFiles: (files: GivenFile[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        kind="quiet"
        aria-label="Add files"
        title="Add pictures or other files (or drop or paste them)"
        onClick={() => input.current?.click()}
      >
        <Paperclip size={15} aria-hidden="true" />
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={(event) => {
          onFiles(named(event.target.files ?? []));
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
