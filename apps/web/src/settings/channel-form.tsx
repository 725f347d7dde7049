import type { LastDelivery, NotificationChannel, NotificationSettings } from "@treadle/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { NOTIFICATIONS_KEY, removeChannel, sendTest } from "../api/notifications.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

/** The form of one channel: its fields, a test, the result of the last delivery, and how to switch it off. */
export function ChannelForm({
  channel,
  title,
  about,
  last,
  isOn,
  isChanged,
  isComplete,
  onSave,
  children,
}: {
  channel: NotificationChannel;
  title: string;
  about: string;
  last: LastDelivery | undefined;
  isOn: boolean;
  isChanged: boolean;
  isComplete: boolean;
  onSave: () => Promise<NotificationSettings>;
  children: ReactNode;
}) {
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [tested, setTested] = useState(false);
  const show = (next: NotificationSettings) => client.setQueryData(NOTIFICATIONS_KEY, next);
  const start = (work: () => Promise<unknown>) => {
    setTested(false);
    void act(work);
  };
  const test = () =>
    start(async () => {
      if (isChanged) show(await onSave());
      try {
        await sendTest(channel);
        setTested(true);
      } finally {
        await client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
      }
    });
  return (
    <form
      aria-label={title}
      className="mt-5 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        start(async () => show(await onSave()));
      }}
    >
      <h4 className="font-semibold">{title}</h4>
      <p className="mt-1 text-small text-quiet">{about}</p>
      <div className="mt-2 grid gap-2 wide:grid-cols-2">{children}</div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button size="medium" type="submit" disabled={busy || !isChanged || !isComplete}>
          {words.settingsPage.saveChannel}
        </Button>
        <Button size="medium" disabled={busy || !isComplete} onClick={test}>
          {words.settingsPage.sendTest}
        </Button>
        {isOn && (
          <Button
            size="medium"
            kind="quiet"
            className="ml-auto"
            disabled={busy}
            onClick={() => start(async () => show(await removeChannel(channel)))}
          >
            {words.settingsPage.channelOff}
          </Button>
        )}
      </div>
      <Result last={last} problem={problem} tested={tested} />
    </form>
  );
}

function Result({
  last,
  problem,
  tested,
}: {
  last: LastDelivery | undefined;
  problem: string | undefined;
  tested: boolean;
}) {
  if (problem !== undefined)
    return (
      <p role="alert" className="mt-2 text-small text-failed">
        {problem}
      </p>
    );
  if (tested)
    return (
      <p role="status" className="mt-2 text-small text-verified">
        {words.settingsPage.testSent}
      </p>
    );
  if (!last) return null;
  const { at, failure } = last;
  const when = formatDateTime(at);
  return (
    <p className={`mt-2 text-small ${failure ? "text-failed" : "text-quiet"}`}>
      {failure
        ? words.settingsPage.notDelivered({
            when,
            why: codedWords(failure.message, failure.messageCode),
          })
        : words.settingsPage.delivered({ when })}
    </p>
  );
}
