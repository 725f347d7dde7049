import { useEffect, useEffectEvent, useState } from "react";
import type { TerminalSharing } from "@treadle/protocol";
import { useMe } from "../api/account.ts";
import { useMay } from "../project/use-may.ts";
import {
  endTerminal,
  labelTerminal,
  readTerminals,
  shareTerminal,
  type TerminalEntry,
} from "../api/terminals.ts";
import { sentence } from "../api/request.ts";
import { assignCommand, useTerminalsShown } from "../project/terminals-store.ts";
import { readVisit, writeVisit } from "../ui/browser-settings.ts";
import { noticeError } from "../ui/notice.ts";
import { besideOthers, readPanes, withoutPane, withPane, type Panes } from "./panes.ts";
import { nextTerminal, terminalLabel } from "./terminal-names.ts";

/** Maximum number of terminals that one page opens. */
export const MAX_TERMINALS = 6;

/** The tab with the output of the project's server. */
export const SERVER_TAB = "server";

export interface Terminals {
  /** Undefined until the terminals are known. */
  tabs: string[] | undefined;
  /** The terminals shown side by side, and the selected one. */
  panes: Panes;
  /** Terminals that have been shown; a terminal connects when it is first shown. */
  seen: ReadonlySet<string>;
  /** Increases whenever the selected terminal has to take the focus. */
  focus: number;
  labelOf(tab: string): string;
  /** The owner of a terminal and how it is shared; undefined for a terminal that the server has not listed yet. */
  entryOf(tab: string): TerminalEntry | undefined;
  isOwn(tab: string): boolean;
  mayEnd(tab: string): boolean;
  /** Shares the person's own terminal; `undefined` ends the sharing. */
  share(tab: string, sharing: TerminalSharing | undefined): Promise<void>;
  choose(tab: string): void;
  /** Opens a new terminal in place of the selected one. */
  add(): void;
  /** Opens a new terminal beside the selected one. */
  split(): void;
  /** Shows only the selected terminal; the others keep running. */
  alone(): void;
  rename(tab: string, label: string): Promise<void>;
  close(tab: string): void;
}

const byName = (entries: readonly TerminalEntry[]): ReadonlyMap<string, TerminalEntry> =>
  new Map(entries.map((entry) => [entry.name, entry]));

const failed = (error: unknown) => noticeError(sentence(error));

/**
 * The project's terminals, and which of them are shown. The first opens automatically, and takes the focus unless the
 * page was reloaded.
 */
export function useTerminals(project: string): Terminals {
  const [tabs, setTabs] = useState<string[]>();
  const me = useMe()?.id;
  const mayEndAny = useMay("project.configure");
  const [entries, setEntries] = useState<ReadonlyMap<string, TerminalEntry>>(new Map());
  const [labels, setLabels] = useState<Record<string, string>>({});
  const [panes, setPanes] = useState<Panes>({ shown: [SERVER_TAB], chosen: SERVER_TAB });
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocus] = useState(0);
  /** The automatically opened terminal, if nobody has typed into it. */
  const [unused, setUnused] = useState<string>();
  const key = `treadle.panes.${project}`;

  const show = (next: Panes) => {
    setPanes(next);
    setSeen((before) => new Set([...before, ...next.shown]));
    writeVisit(key, JSON.stringify(next));
  };

  useEffect(() => {
    let isStopped = false;
    const begin = (names: string[], own: string[]) => {
      if (isStopped) return;
      const first = own[0] ?? nextTerminal(names);
      const all = names.includes(first) ? names : [...names, first];
      setTabs(all);
      if (own.length === 0) setUnused(first);
      show(readPanes(readVisit(key), [SERVER_TAB, ...all], first));
      // A reload restores the terminals but does not move the focus into them.
      if (useTerminalsShown.getState().asked) setFocus((before) => before + 1);
    };
    readTerminals(project).then(
      (list) => {
        setLabels(list.labels);
        setEntries(byName(list.entries));
        // A terminal of another person into which this one may not type is not shown at first.
        const usable = list.entries.filter(({ owner, access }) => !owner || access === "type");
        begin(
          list.terminals,
          usable.map(({ name }) => name),
        );
      },
      (error: unknown) => {
        failed(error);
        begin([], []);
      },
    );
    return () => {
      isStopped = true;
    };
    // Reads the list only when the panel opens; afterwards the page itself adds and removes terminals.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [project]);

  const open = (place: (name: string) => Panes, taken = tabs ?? []) => {
    const name = nextTerminal(taken);
    setTabs([...taken, name]);
    show(place(name));
    setFocus(focus + 1);
    return name;
  };

  const isOwn = (tab: string) => {
    const owner = entries.get(tab)?.owner;
    return owner === undefined || owner.id === me;
  };

  /** Opens a new terminal under a name that nobody else has taken meanwhile. */
  const openNew = async (place: (name: string) => Panes) => {
    const list = await readTerminals(project).catch(() => undefined);
    if (list) setEntries(byName(list.entries));
    open(place, [...new Set([...(tabs ?? []), ...(list?.terminals ?? [])])]);
  };

  const asked = useTerminalsShown(({ command }) => command !== undefined && !command.terminal);
  const runAsked = useEffectEvent(() => {
    if (!tabs) return;
    const free = unused ?? (tabs.length < MAX_TERMINALS ? undefined : tabs.at(-1));
    if (free !== undefined) show(withPane(panes, free));
    setUnused(undefined);
    assignCommand(free ?? open((name) => withPane(panes, name)));
  });
  useEffect(() => {
    if (asked && tabs) runAsked();
  }, [asked, tabs]);

  return {
    tabs,
    panes,
    seen,
    focus,
    labelOf: (tab) => terminalLabel(tab, labels[tab]),
    choose(tab) {
      show(withPane(panes, tab));
      setFocus(focus + 1);
    },
    add: () => void openNew((name) => withPane(panes, name)),
    split: () => void openNew((name) => besideOthers(panes, name)),
    entryOf: (tab) => entries.get(tab),
    isOwn,
    mayEnd: (tab) => mayEndAny || isOwn(tab),
    async share(tab, sharing) {
      try {
        await shareTerminal(project, tab, sharing);
        setEntries(byName((await readTerminals(project)).entries));
      } catch (error) {
        failed(error);
      }
    },
    alone() {
      show({ shown: [panes.chosen], chosen: panes.chosen });
      setFocus(focus + 1);
    },
    async rename(tab, label) {
      const before = labels;
      setLabels({ ...labels, [tab]: label });
      setFocus(focus + 1);
      await labelTerminal(project, tab, label).catch((error: unknown) => {
        setLabels(before);
        failed(error);
      });
    },
    close(tab) {
      const all = tabs ?? [];
      const remaining = all.filter((one) => one !== tab);
      setTabs(remaining);
      setSeen((before) => new Set([...before].filter((one) => one !== tab)));
      const { [tab]: _gone, ...others } = labels;
      setLabels(others);
      const next = remaining[Math.min(all.indexOf(tab), remaining.length - 1)] ?? SERVER_TAB;
      if (panes.shown.includes(tab)) show(withoutPane(panes, tab, next));
      setFocus(focus + 1);
      endTerminal(project, tab).catch(failed);
    },
  };
}
