import type { ReactNode } from "react";
import { X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";

/** One thing that is set, with a way to take it away. */
export function SettingsRow({
  children,
  remove,
  disabled,
  onRemove,
}: {
  children: ReactNode;
  /** What the button does, in words: "Remove api.example.com". */
  remove: string;
  disabled: boolean;
  onRemove: () => void;
}) {
  return (
    <li className="flex min-h-9 items-center gap-2 border-b border-line px-2 last:border-0">
      <div className="min-w-0 flex-1 py-1">{children}</div>
      <IconButton name={remove} disabled={disabled} onClick={onRemove}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </li>
  );
}
