import { Suspense } from "react";
import { useMe } from "../api/account.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { withWords } from "../words/words.ts";

const { Part: AccountMenu } = lazyPart(() => withWords(import("./account-menu.tsx")));

/** The menu of the person's account. Draws and loads nothing if the server has no accounts. */
export function OwnMenu() {
  const me = useMe();
  return (
    me?.accounts === true && (
      <Suspense fallback={null}>
        <AccountMenu />
      </Suspense>
    )
  );
}
