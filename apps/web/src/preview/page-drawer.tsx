import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { CircleSlash, X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { ConsoleList } from "./console-list.tsx";
import { NetworkList } from "./network-list.tsx";
import { countErrors, countLevels, isFailed, type PageLog, type Printed } from "./page-log.ts";
import { LEVELS, type Level } from "./page-messages.ts";
import { words } from "../words/words.ts";

const TAB =
  "border-b-2 border-transparent px-2 text-small text-quiet -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink";

/** The console output and requests of the previewed page since it was loaded. */
export default function PageDrawer({
  log,
  onPlace,
  onClear,
  onClose,
}: {
  log: PageLog;
  onPlace: (printed: Printed) => void;
  onClear: () => void;
  onClose: () => void;
}) {
  const [tab, setTab] = useState("console");
  const [filter, setFilter] = useState("");
  const [hidden, setHidden] = useState<ReadonlySet<Level>>(new Set());
  const [failedOnly, setFailedOnly] = useState(false);
  const counts = countLevels(log.printed);
  const failed = log.asked.filter(isFailed).length;
  const failsNow = log.asked.some((one) => one.id >= log.since && isFailed(one));
  const query = filter.trim().toLowerCase();
  const fits = (text: string) => query === "" || text.toLowerCase().includes(query);
  const toggle = (level: Level) =>
    setHidden((before) => {
      const next = new Set(before);
      if (!next.delete(level)) next.add(level);
      return next;
    });
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => setTab(next as string)}
      className="flex h-full flex-col border-t border-line bg-paper"
    >
      <div className="flex min-h-8 shrink-0 flex-wrap items-stretch gap-x-1 border-b border-line pr-1">
        <Tabs.List className="flex" aria-label={words.preview.says}>
          <Tabs.Tab value="console" className={TAB}>
            {words.preview.console}{" "}
            <Count count={log.printed.length} failed={countErrors(log) > 0} />
          </Tabs.Tab>
          <Tabs.Tab value="network" className={TAB}>
            {words.preview.network} <Count count={log.asked.length} failed={failsNow} />
          </Tabs.Tab>
        </Tabs.List>
        <div className="flex min-w-0 flex-1 items-center justify-end gap-1">
          {tab === "console"
            ? LEVELS.filter((level) => counts[level] > 0).map((level) => (
                <Toggle
                  key={level}
                  pressed={!hidden.has(level)}
                  onClick={() => toggle(level)}
                  name={words.preview.levelNames[level]}
                  count={counts[level]}
                />
              ))
            : failed > 0 && (
                <Toggle
                  pressed={failedOnly}
                  onClick={() => setFailedOnly(!failedOnly)}
                  name={words.preview.failed}
                  count={failed}
                />
              )}
          <input
            type="search"
            aria-label={words.preview.filter}
            placeholder={words.preview.filter}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="h-6 w-28 min-w-0 rounded border border-edge bg-raised px-2 text-small"
          />
          <IconButton name={words.preview.clear} onClick={onClear}>
            <CircleSlash size={15} aria-hidden="true" />
          </IconButton>
          <IconButton name={words.preview.closeConsole} onClick={onClose}>
            <X size={15} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      <Tabs.Panel value="console" className="min-h-0 flex-1 -outline-offset-2">
        <ConsoleList
          lines={log.printed.filter(({ level, text }) => !hidden.has(level) && fits(text))}
          dropped={log.dropped}
          isEmpty={log.printed.length === 0}
          onPlace={onPlace}
        />
      </Tabs.Panel>
      <Tabs.Panel value="network" className="min-h-0 flex-1 -outline-offset-2">
        <NetworkList
          requests={log.asked.filter((one) => (!failedOnly || isFailed(one)) && fits(one.url))}
          isEmpty={log.asked.length === 0}
        />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function Count({ count, failed }: { count: number; failed: boolean }) {
  if (count === 0) return null;
  return <span className={`numbers ml-1 ${failed ? "text-failed" : "text-quiet"}`}>{count}</span>;
}

function Toggle({
  pressed,
  onClick,
  name,
  count,
}: {
  pressed: boolean;
  onClick: () => void;
  name: string;
  count: number;
}) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className="numbers h-6 rounded px-1.5 text-small whitespace-nowrap text-quiet hover:bg-hover aria-pressed:bg-hover aria-pressed:text-ink"
    >
      {name} {count}
    </button>
  );
}
