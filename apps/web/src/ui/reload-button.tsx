import type { ComponentProps } from "react";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { reloadPage } from "./reload-page.ts";
import { useAct } from "./use-act.ts";

/** A button that reloads the page, or shows that the server does not answer. */
export function ReloadButton(look: Pick<ComponentProps<typeof Button>, "kind" | "size">) {
  const { act, busy, problem } = useAct();
  return (
    <>
      <Button {...look} disabled={busy} onClick={() => void act(reloadPage)}>
        {words.page.reload}
      </Button>
      {problem && (
        <p role="alert" className="order-last w-full text-failed">
          {problem}
        </p>
      )}
    </>
  );
}
