import type { Filter } from "../tasks.ts";

const NAMES: Record<Filter, string> = { all: "All", open: "Open", done: "Done" };

interface FiltersProps {
  chosen: Filter;
  counts: Record<Filter, number>;
}

export function Filters({ chosen, counts }: FiltersProps) {
  return (
    <nav className="filters" aria-label="Which tasks to show">
      {(Object.keys(NAMES) as Filter[]).map((filter) => (
        <a key={filter} href={`#/${filter}`} aria-current={filter === chosen ? "page" : undefined}>
          {NAMES[filter]} <span className="count">{counts[filter]}</span>
        </a>
      ))}
    </nav>
  );
}
