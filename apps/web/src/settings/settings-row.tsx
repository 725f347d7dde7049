import type { ReactNode } from "react";
import { X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";

/** One setting in a list, with a button to remove it. */
export function SettingsRow({
  children,
  remove,
  disabled,
  onRemove,
}: {
  children: ReactNode;
  /** The button's accessible name: "Remove api.example.com". */
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
