import { Link } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { useMe } from "../api/account.ts";
import { LoopMark } from "../ui/loop-mark.tsx";
import { Lost } from "../ui/lost.tsx";
import { words } from "../words/words.ts";
import AccountMenu from "./account-menu.tsx";
import { accountPages } from "./account-pages.ts";

/** The frame of the pages about people. Shows a message to a person who may not open the page. */
export function AccountFrame({
  at,
  children,
}: {
  at:
    | "/account"
    | "/reviews"
    | "/spending"
    | "/people"
    | "/sign-in-provider"
    | "/audit"
    | "/limits";
  children: ReactNode;
}) {
  const me = useMe();
  const pages = me?.accounts === true ? accountPages(me) : [];
  const page = pages.find(({ to }) => to === at);
  useEffect(() => {
    if (page) document.title = `${page.name} · Treadle`;
  }, [page]);
  if (!me) return null;
  if (!page) return <Lost title={words.page.nothingHere}>{words.account.notForYou}</Lost>;
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <header className="flex items-center gap-1 px-4 py-2.5">
        <Link
          to="/"
          className="inline-flex items-center gap-1 rounded pr-2 pointer-coarse:min-h-11"
        >
          <LoopMark />
          <span className="text-large font-semibold">Treadle</span>
        </Link>
        <span className="ml-auto" />
        <AccountMenu />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-193 px-4 pt-4 pb-10 outline-none"
      >
        {pages.length > 1 && (
          <nav
            aria-label={words.account.pages}
            className="mb-4 flex gap-4 overflow-x-auto border-b border-line"
          >
            {pages.map(({ to, name }) => (
              <Link
                key={to}
                to={to}
                className="-mb-px border-b-2 border-transparent pb-1.5 whitespace-nowrap text-quiet -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink pointer-coarse:min-h-11 pointer-coarse:pt-2"
              >
                {name}
              </Link>
            ))}
          </nav>
        )}
        <h1 className="mb-5 text-title font-semibold">{page.name}</h1>
        <div className="space-y-8">{children}</div>
      </main>
    </div>
  );
}
