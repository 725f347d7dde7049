import type { ComponentProps } from "react";
import { readHealth } from "../api/projects.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { useAct } from "./use-act.ts";

/** Reloads the page once its server answers; otherwise the browser would show its own error page. */
export function ReloadButton(look: Pick<ComponentProps<typeof Button>, "kind" | "size">) {
  const { act, busy, problem } = useAct();
  const reload = () =>
    act(async () => {
      await readHealth();
      location.reload();
    });
  return (
    <>
      <Button {...look} disabled={busy} onClick={() => void reload()}>
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
