import { X } from "lucide-react";
import { useState } from "react";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

const READ = "treadle.keeps-nothing-read";

/**
 * Some browsers refuse `localStorage` and IndexedDB to every page that another one embeds (a private window of Chrome,
 * one without third-party cookies): the app would seem to lose what it keeps, and does not in a tab of its own.
 */
export function KeepsNothing({ address }: { address: string }) {
  const [read, setRead] = useState(() => readSetting(READ) !== undefined);
  if (read) return null;
  return (
    <p
      role="note"
      className="flex shrink-0 items-center gap-2 border-b border-line bg-hover px-3 py-1 text-small"
    >
      <span className="min-w-0 flex-1">
        {words.preview.keepsNothing}{" "}
        <a href={address} target="_blank" rel="noopener" className="text-accent underline">
          {words.preview.openTab}
        </a>
      </span>
      <IconButton
        name={words.preview.hideNote}
        onClick={() => {
          writeSetting(READ, "yes");
          setRead(true);
        }}
      >
        <X size={14} aria-hidden="true" />
      </IconButton>
    </p>
  );
}
