import { useEffect, useState } from "react";
import { reportSeen } from "../api/notifications.ts";
import { useLiveStore } from "../live/live-context.tsx";
import { isLookedAt, showAwayNotice, useAwayNotices } from "../project/away-notices.ts";
import { notice } from "../ui/notice.ts";
import { useProject } from "../project/use-project.ts";
import { words } from "../words/words.ts";
import { awayNews, type AwayNews } from "./away-news.ts";

/** The tab's icon for each kind of news; `ICON_OF_THE_REST` for others. */
const ICONS: Partial<Record<AwayNews, string>> = {
  waiting: "/mark-waiting.svg",
  failed: "/mark-failed.svg",
};
const ICON_OF_THE_REST = "/mark-done.svg";

export const newsWords = (news: AwayNews) =>
  news === "ended" ? words.workbench.ended : words.verdict[news];

/**
 * Reports news of the project while the page is not visible: by the tab's icon, a notification, and the returned value
 * for the tab's title. Resets once the page is visible. After a person's first absence, offers notifications.
 * @returns the news that the person has not seen; undefined if there is none
 */
export function useAwayNotice(): AwayNews | undefined {
  const store = useLiveStore();
  const { id, name } = useProject();
  const [unseen, setUnseen] = useState<AwayNews>();

  useEffect(
    () =>
      store.subscribe((state, before) => {
        if (!before.loaded || state.view === before.view) return;
        const news = awayNews(before.view, state.view);
        if (news === undefined) return;
        if (isLookedAt()) return report(id);
        setUnseen(news);
        showAwayNotice(name, newsWords(news), `treadle-${id}`);
      }),
    [store, id, name],
  );

  useEffect(() => {
    if (unseen === undefined) return;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const before = icon?.getAttribute("href") ?? "";
    icon?.setAttribute("href", ICONS[unseen] ?? ICON_OF_THE_REST);
    const look = () => {
      if (!isLookedAt()) return;
      setUnseen(undefined);
      report(id);
      offer();
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
    return () => {
      icon?.setAttribute("href", before);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
    };
  }, [unseen, id]);
  return unseen;
}

/** Reports that the news was seen. Ignores a failure, after which the server only sends a needless notification. */
const report = (project: string) => void reportSeen(project).catch(() => undefined);

/** Whether this page has offered notifications; an ignored offer is not repeated until the page is reloaded. */
let isOffered = false;

function offer(): void {
  const { choice, isRefused, choose } = useAwayNotices.getState();
  if (choice !== "unasked" || isRefused || isOffered) return;
  isOffered = true;
  notice(words.workbench.noticesOffer, {
    duration: 15_000,
    action: { label: words.workbench.noticesOn, onClick: () => void choose(true) },
    cancel: { label: words.workbench.noticesOff, onClick: () => void choose(false) },
  });
}
