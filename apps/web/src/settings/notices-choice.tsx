import { useAwayNotices } from "../project/away-notices.ts";
import { words } from "../words/words.ts";

/** Whether the browser notifies when a turn ends, asks or fails while the page is not visible. */
export function NoticesChoice() {
  const { choice, isRefused, choose } = useAwayNotices();
  return (
    <>
      <label className="flex items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          role="switch"
          className="accent-accent"
          checked={choice === "on" && !isRefused}
          disabled={isRefused}
          onChange={(event) => void choose(event.target.checked)}
        />
        {words.settingsPage.notices}
      </label>
      <p className="pl-6 text-small text-quiet">
        {isRefused ? words.settingsPage.noticesRefused : words.settingsPage.noticesAbout}
      </p>
    </>
  );
}
