import { useState, type ReactNode } from "react";
import { X } from "../ui/icons.ts";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/**
 * Says that a browser denies the app something only because another page shows it, as `localStorage` in a private window of
 * Chrome, and where it works: in a tab of its own.
 * @param setting remembers in this browser that it was put away; absent: only until the page is loaded again
 */
export function FrameNote({
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
