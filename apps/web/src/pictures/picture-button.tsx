import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { Button } from "../ui/button.tsx";

/** Chooses pictures from this machine. They can be pasted and dropped as well. */
export function PictureButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        kind="quiet"
        aria-label="Add a picture"
        title="Add a picture (or paste it)"
        onClick={() => input.current?.click()}
      >
        <ImagePlus size={15} aria-hidden="true" />
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
