import { Menu } from "@base-ui/react/menu";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { signOut, useMe } from "../api/account.ts";
import { sentence } from "../api/request.ts";
import { initials } from "../ui/initials.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { notice, noticeError, takeNoticeBack } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { useOpenReviews } from "../api/reviews.ts";
import { accountPages } from "./account-pages.ts";

/** The notice about waiting requests. */
const NOTICE = "reviews";

/**
 * The number of requests that wait for the person's answer. Shows a notice when the number grows, until their page is
 * opened or none waits any more.
 */
function useWaitingReviews(): number {
  const navigate = useNavigate();
  const isShown = useLocation({ select: ({ pathname }) => pathname === "/reviews" });
  const amount = useOpenReviews()?.reviews.filter(({ mayAnswer }) => mayAnswer).length;
  const known = useRef<number>(undefined);
  useEffect(() => {
    if (amount === undefined) return;
    const isNew = known.current !== undefined && amount > known.current;
    known.current = amount;
    if (amount === 0 || isShown) return takeNoticeBack(NOTICE);
    if (!isNew) return;
    notice(words.reviews.mark({ amount }), {
      id: NOTICE,
      action: { label: words.reviews.open, onClick: () => void navigate({ to: "/reviews" }) },
    });
  }, [amount, isShown, navigate]);
  return amount ?? 0;
}

const markOf = (amount: number) => (amount > 0 ? [words.reviews.mark({ amount })] : []);

/** The menu of the person who is signed in: their pages, and signing out. Draws nothing until the person is known. */
export default function AccountMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const left = useRef(false);
  const waiting = useWaitingReviews();
  if (me?.accounts !== true) return null;
  const name = me.name ?? me.id;
  const leave = async () => {
    try {
      await signOut();
      location.assign("/");
    } catch (error) {
      noticeError(sentence(error));
    }
  };
  return (
    <Menu.Root onOpenChange={(open) => open && (left.current = false)}>
      <Menu.Trigger
        aria-label={[words.account.menu({ name }), ...markOf(waiting)].join(", ")}
        title={[name, ...markOf(waiting)].join(" · ")}
        className="relative ml-1 inline-flex size-8 shrink-0 items-center justify-center rounded-full pointer-coarse:size-11"
      >
        <span
          data-initials={initials(name)}
          className="inline-flex size-6.5 items-center justify-center rounded-full bg-accent text-small font-semibold text-on-accent before:content-[attr(data-initials)]"
        />
        {waiting > 0 && (
          <span
            aria-hidden="true"
            className="numbers absolute -top-0.5 -right-0.5 inline-flex h-4 min-w-4 items-center justify-center rounded-full border border-paper bg-failed px-0.5 text-[10px] font-semibold text-paper"
          >
            {waiting}
          </span>
        )}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Menu.Popup finalFocus={() => !left.current} className="floating min-w-50 py-1">
            <div className="mb-1 border-b border-line px-3 pt-0.5 pb-1.5">
              <p dir="auto" className="font-semibold break-words">
                {name}
              </p>
              <p className="text-small break-all text-quiet">
                {[me.email, words.account.roles[me.role]].filter(Boolean).join(" · ")}
              </p>
            </div>
            {accountPages(me).map(({ to, name: page }) => (
              <Menu.Item
                key={to}
                className={MENU_ITEM}
                onClick={() => {
                  left.current = true;
                  void navigate({ to });
                }}
              >
                {page}
                {to === "/reviews" && waiting > 0 && (
                  <span className="numbers ml-auto pl-4 text-small text-failed">{waiting}</span>
                )}
              </Menu.Item>
            ))}
            <Menu.Item className={MENU_ITEM} onClick={() => void leave()}>
              {words.account.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
