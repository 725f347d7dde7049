import type { Filter } from "../tasks.ts";

const WORDS: Record<Filter, { head: string; body: string }> = {
  all: { head: "A clean sheet", body: "Write down the first thing. It stays here until you tick it." },
  open: { head: "Nothing left to do", body: "Everything on the sheet is ticked." },
  done: { head: "Nothing ticked yet", body: "Finished tasks are counted at the top of the sheet." },
};

export function EmptySheet({ filter }: { filter: Filter }) {
  const { head, body } = WORDS[filter];
  return (
    <div className="empty">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <rect x="1" y="1" width="46" height="46" />
        <path d="M10 25c4 3 7 7 9 12 6-13 12-22 21-29" pathLength="1" />
      </svg>
      <h2>{head}</h2>
      <p>{body}</p>
    </div>
  );
}
