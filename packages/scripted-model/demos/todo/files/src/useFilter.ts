import { useEffect, useState } from "react";
import type { Filter } from "./tasks.ts";

/** The filter lives in the address, so that it survives a reload and can be bookmarked. */
export function useFilter(): Filter {
  const [filter, setFilter] = useState(fromAddress);
  useEffect(() => {
    const follow = () => setFilter(fromAddress());
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return filter;
}

function fromAddress(): Filter {
  const name = window.location.hash.slice(2);
  return name === "open" || name === "done" ? name : "all";
}
