import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { X } from "./icons.ts";
import { IconButton } from "./button.tsx";
import { words } from "../words/words.ts";

/** A dialog's title and close button, which stay in place while the contents scroll. */
export function DialogHead({
  title,
  children,
}: {
  title: string;
  /** Shown between the two. */
  children?: ReactNode;
}) {
  return (
    <div className="sticky top-0 z-10 flex shrink-0 items-center justify-between gap-3 border-b border-line bg-raised py-2 pr-2 pl-4">
      <Dialog.Title className={`text-large font-semibold ${children ? "shrink-0" : ""}`}>
        {title}
      </Dialog.Title>
      {children}
      <Dialog.Close
        render={
          <IconButton name={words.ui.close}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        }
      />
    </div>
  );
}
