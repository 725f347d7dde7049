import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** A button that asks for confirmation in its own place. @param sure undefined asks for none */
export function ConfirmButton({
  sure,
  disabled,
  onConfirm,
  children,
}: {
  sure: string | undefined;
  disabled: boolean;
  onConfirm: () => void;
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  if (!asking || sure === undefined)
    return (
      <Button
        disabled={disabled}
        onClick={() => (sure === undefined ? onConfirm() : setAsking(true))}
      >
        {children}
      </Button>
    );
  return (
    <span className="flex flex-wrap items-center gap-2 text-small">
      {sure}
      <Button
        kind="danger"
        disabled={disabled}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {children}
      </Button>
      <Button onClick={() => setAsking(false)}>{words.mcp.leaveIt}</Button>
    </span>
  );
}
