import { useState, type ReactNode } from "react";
import { X } from "../ui/icons.ts";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/**
 * A note that the browser denies the app something only because the app runs in a frame, such as `localStorage` in
 * Chrome's incognito mode, with a link that opens the app in a separate tab.
 * @param setting the browser setting that remembers the dismissal; undefined dismisses it until the page is reloaded
 */
function FrameNote({
  address,
  setting,
  children,
}: {
  address: string;
  setting?: string;
  children: ReactNode;
}) {
  const [isHidden, setHidden] = useState(
    () => setting !== undefined && readSetting(setting) !== undefined,
  );
  if (isHidden) return null;
  return (
    <p
      role="note"
      className="flex shrink-0 items-center gap-2 border-b border-line bg-hover px-3 py-1 text-small"
    >
      <span className="min-w-0 flex-1">
        {children}{" "}
        <a href={address} target="_blank" rel="noopener" className="text-accent underline">
          {words.preview.openTab}
        </a>
      </span>
      <IconButton
        name={setting === undefined ? words.preview.hide : words.preview.hideNote}
        onClick={() => {
          if (setting !== undefined) writeSetting(setting, "yes");
          setHidden(true);
        }}
      >
        <X size={14} aria-hidden="true" />
      </IconButton>
    </p>
  );
}

/** Says what the browser denies the app in the frame; draws nothing if it denies nothing. */
export function FrameNotes({
  address,
  isDenied,
  seen,
}: {
  address: string;
  /** Whether the browser denies the app its storage. */
  isDenied: boolean;
  seen: { needsTab?: boolean | undefined } | undefined;
}) {
  if (isDenied)
    return (
      <FrameNote address={address} setting="treadle.keeps-nothing-read">
        {words.preview.keepsNothing}
      </FrameNote>
    );
  return seen?.needsTab ? <FrameNote address={address}>{words.preview.needsTab}</FrameNote> : null;
}
