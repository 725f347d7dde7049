import { useEffect, useState } from "react";
import { noticeError } from "../ui/notice.ts";
import { endTerminal, readTerminals } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { readVisit, writeVisit } from "../ui/browser-settings.ts";
import { useWork } from "../project/work-store.ts";
import { nextTerminal } from "./terminal-names.ts";

/** The tab of what the project's server prints. */
export const SERVER_TAB = "server";

export interface Terminals {
  /** Undefined until it is known what there is. */
  tabs: string[] | undefined;
  chosen: string;
  /** Those that were shown once: a terminal is joined when it is first looked at. */
  shown: ReadonlySet<string>;
  /** Grows whenever what is typed next is for the chosen one. */
  focus: number;
  choose(tab: string): void;
  add(): void;
  close(tab: string): void;
}

/** Which terminals the project has, and which one is shown. The first is opened by itself, ready to be typed into. */
export function useTerminals(project: string): Terminals {
  const [tabs, setTabs] = useState<string[]>();
  const [chosen, setChosen] = useState(SERVER_TAB);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocus] = useState(0);
  const key = `treadle.terminal.${project}`;

  const show = (tab: string) => {
    setChosen(tab);
    setShown((before) => new Set(before).add(tab));
    writeVisit(key, tab);
  };

  useEffect(() => {
    let over = false;
    const begin = (names: string[]) => {
      if (over) return;
      const [first = nextTerminal([])] = names;
      const last = readVisit(key);
      const all = names.length > 0 ? names : [first];
      setTabs(all);
      show(last !== undefined && (last === SERVER_TAB || all.includes(last)) ? last : first);
      // After a reload the terminals are there again, but nobody asked to type into them.
      if (useWork.getState().terminalAsked) setFocus((before) => before + 1);
    };
    readTerminals(project).then(begin, (error: unknown) => {
      noticeError(sentence(error));
      begin([]);
    });
    return () => {
      over = true;
    };
    // Only when the panel opens: from then on the page itself knows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [project]);

  return {
    tabs,
    chosen,
    shown,
    focus,
    choose(tab) {
      show(tab);
      setFocus(focus + 1);
    },
    add() {
      const name = nextTerminal(tabs ?? []);
      setTabs([...(tabs ?? []), name]);
      show(name);
      setFocus(focus + 1);
    },
    close(tab) {
      const left = (tabs ?? []).filter((one) => one !== tab);
      setTabs(left);
      setShown((before) => new Set([...before].filter((one) => one !== tab)));
      if (chosen === tab) {
        const at = (tabs ?? []).indexOf(tab);
        show(left[Math.min(at, left.length - 1)] ?? SERVER_TAB);
      }
      setFocus(focus + 1);
      endTerminal(project, tab).catch((error: unknown) => noticeError(sentence(error)));
    },
  };
}
