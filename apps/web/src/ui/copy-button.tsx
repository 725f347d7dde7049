import { useEffect, useState } from "react";
import { Check, Copy } from "./icons.ts";
import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { noticeError } from "./notice.ts";
import { words } from "../words/words.ts";

/** How long the confirmation is shown, in milliseconds. */
const CONFIRMATION_MS = 1500;

/** Copies the result of `text` and shows that it did. */
export function CopyButton({
  name,
  text,
  className = "",
}: {
  name: string;
  text: () => string;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text())) setCopied(true);
    else noticeError(words.ui.cannotCopy);
  };
  return (
    <IconButton
      name={copied ? words.ui.copied : name}
      className={className}
      onClick={() => void copy()}
    >
      {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
    </IconButton>
  );
}
