import { useParams } from "@tanstack/react-router";
import { visible } from "@treadle/protocol/safe-text";
import { useEffect, useState } from "react";
import { useFileNames } from "../api/use-file-names.ts";
import type { ProjectSymbol, ProjectSymbols } from "../language/project-symbols.ts";
import { useWork } from "../project/work-store.ts";
import type { Item } from "./items.ts";

/** Delay after the last letter before the language server is asked, in milliseconds. */
const WAIT_MS = 120;
/** Prefix of a symbol search, as in VS Code. */
export const SYMBOL = "#";

/** Symbols of the open project for a query such as `#name`; undefined for other queries. */
export function useSymbols(
  query: string,
): { items: readonly Item[]; isSearching: boolean } | undefined {
  const { project = "" } = useParams({ strict: false });
  const files = useFileNames(project);
  const openFile = useWork((state) => state.openFile);
  const symbolQuery =
    query.startsWith(SYMBOL) && project !== "" ? query.slice(1).trim() : undefined;
  const isSymbolQuery = symbolQuery !== undefined && files.length > 0;
  const [symbols, setSymbols] = useState<ProjectSymbols>();
  const [found, setFound] = useState<{ query: string; list: readonly ProjectSymbol[] }>();

  useEffect(() => {
    if (!isSymbolQuery) return;
    let opened: ProjectSymbols | undefined;
    let isStopped = false;
    void import("../language/project-symbols.ts").then(({ openProjectSymbols }) => {
      if (isStopped) return;
      opened = openProjectSymbols(project, files);
      setSymbols(opened);
    });
    return () => {
      isStopped = true;
      opened?.close();
      setSymbols(undefined);
    };
  }, [isSymbolQuery, project, files]);

  useEffect(() => {
    if (!symbols || symbolQuery === undefined) return;
    let isStopped = false;
    const update = (list: readonly ProjectSymbol[]) => {
      if (!isStopped) setFound({ query: symbolQuery, list });
    };
    const timer = setTimeout(() => {
      symbols.find(symbolQuery).then(update, () => update([]));
    }, WAIT_MS);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [symbols, symbolQuery]);

  if (symbolQuery === undefined) return undefined;
  // Shows the previous results during the next search, so that the list does not flicker.
  const items = (found?.list ?? []).map((one, index): Item => ({
    id: `symbol ${index} ${one.path}`,
    kind: "symbol",
    title: visible(one.name),
    detail: visible([one.container, `${one.path}:${one.line}`].filter(Boolean).join(" · ")),
    run: () => openFile(one.path, { line: one.line, column: one.column }),
  }));
  return { items, isSearching: found?.query !== symbolQuery };
}
