import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** A button that is replaced by a question when it is pressed. @param question undefined: a press acts at once */
export function ConfirmButton({
  question,
  disabled,
  onConfirm,
  children,
}: {
  question: string | undefined;
  disabled: boolean;
  onConfirm: () => void;
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  if (!asking || question === undefined)
    return (
      <Button
        disabled={disabled}
        onClick={() => (question === undefined ? onConfirm() : setAsking(true))}
      >
        {children}
      </Button>
    );
  return (
    <span className="flex flex-wrap items-center gap-2 text-small">
      {question}
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
