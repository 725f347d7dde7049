import type { Me } from "@treadle/protocol";
import { words } from "../words/words.ts";

/** The pages about people that this person may open, in order. */
export function accountPages({ actions }: Me) {
  const pages = [
    { to: "/account", name: words.account.account, needs: "account.view" },
    { to: "/reviews", name: words.reviews.title, needs: "projects.list" },
    { to: "/spending", name: words.account.spending, needs: "spending.view" },
    { to: "/people", name: words.account.people, needs: "people.manage" },
    { to: "/sign-in-provider", name: words.identity.provider, needs: "people.manage" },
    { to: "/limits", name: words.account.limits, needs: "server.configure" },
    { to: "/audit", name: words.account.audit, needs: "audit.read" },
  ] as const;
  return pages.filter(({ needs }) => actions.includes(needs));
}
