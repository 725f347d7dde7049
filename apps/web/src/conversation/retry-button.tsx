import { Suspense, useState } from "react";
import { RotateCcw } from "../ui/icons.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { words } from "../words/words.ts";
import { RETRY_BUTTON } from "./retry-look.ts";

const { Part: RetryMenu, load } = lazyPart(() => import("./retry-menu.tsx"));

/**
 * Opens the menu for sending a message again. Each message has two of these buttons; the menu itself is loaded on demand.
 */
export function RetryButton({ message }: { message: string }) {
  const [asked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={words.chat.again}
      aria-haspopup="menu"
      aria-expanded={false}
      title={words.chat.again}
      className={RETRY_BUTTON}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setAsked(true)}
    >
      <RotateCcw size={14} aria-hidden="true" />
    </button>
  );
  if (!asked) return button;
  return (
    <Suspense fallback={button}>
      <RetryMenu message={message} />
    </Suspense>
  );
}
