import { useState } from "react";
import { allowHost } from "../api/project-settings.ts";
import { doOrAsk } from "../api/reviews.ts";
import { notice } from "../ui/notice.ts";
import { controlServer, sendMessage } from "../api/projects.ts";
import { isRunning, type RefusedHost } from "@treadle/protocol/fold";
import { Ban, X } from "../ui/icons.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useSettingsPlace } from "../project/settings-place.ts";
import { Around, SLOT } from "../ui/around.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** Number of hosts asked about one by one; further ones are listed in the settings. */
const MAX_HOSTS = 3;

/**
 * Hosts that the app or a command was denied, with a button to allow those that may be. No run waits for the answer.
 */
export function RefusedNotice() {
  const project = useProjectId();
  const settings = useSettingsPlace();
  const refused = useView((view) => view.refused);
  const key = `refused:${project}`;
  const [passed, setPassed] = useState<readonly string[]>(
    () => readSetting(key)?.split("\n") ?? [],
  );
  const [allowed, setAllowed] = useState<string>();
  const open = refused.filter(({ host }) => !passed.includes(host));
  const pass = (host: string) => {
    const next = [...passed, host];
    setPassed(next);
    writeSetting(key, next.join("\n"));
  };
  if (open.length === 0 && allowed === undefined) return null;
  const more = open.length - MAX_HOSTS;
  return (
    <section
      aria-label={words.conversation.refusedConnections}
      className="mx-auto w-full max-w-190 shrink-0 space-y-1 px-3 pb-2"
    >
      {open.slice(-MAX_HOSTS).map((one) => (
        <Refused key={one.host} refused={one} onAllowed={setAllowed} onPassed={pass} />
      ))}
      {more > 0 && (
        <p className="px-2 text-small text-quiet">
          {words.conversation.andMore({ amount: more })}{" "}
          <Button kind="quiet" onClick={() => settings.open("hosts")}>
            {words.conversation.settings}
          </Button>
        </p>
      )}
      {allowed !== undefined && <Allowed host={allowed} onDone={() => setAllowed(undefined)} />}
    </section>
  );
}

const LINE =
  "flex flex-wrap items-center gap-x-2 rounded border border-line bg-raised py-1 pr-1 pl-2 text-small";

function Refused({
  refused: { host, reason, times },
  onAllowed,
  onPassed,
}: {
  refused: RefusedHost;
  onAllowed: (host: string) => void;
  onPassed: (host: string) => void;
}) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const often = times > 1 ? words.conversation.times({ amount: times }) : "";
  return (
    <div role="status" className={LINE}>
      <Ban size={16} aria-hidden="true" className="shrink-0 text-unsure" />
      <span className="min-w-0 grow basis-48">
        <Around
          text={
            reason === "unreached"
              ? words.conversation.unreached({ host: SLOT, times: often })
              : reason === "address"
                ? words.conversation.ownNetwork({ host: SLOT, times: often })
                : words.conversation.refused({ host: SLOT, times: often })
          }
        >
          <Host>{host}</Host>
        </Around>
        {reason === "no-name" && words.conversation.byName}
        {reason === "registry" && words.conversation.registry}
        {reason === "not-named" && words.conversation.notNamed}
      </span>
      <IconButton name={words.conversation.leaveRefused({ host })} onClick={() => onPassed(host)}>
        <X size={16} aria-hidden="true" />
      </IconButton>
      {problem && <Problem>{problem}</Problem>}
      {reason === "not-allowed" && (
        <Button
          disabled={busy}
          className="mb-1 max-w-full"
          onClick={() =>
            void act(async () => {
              const done = await doOrAsk(() => allowHost(project, host), project, { kind: "host", host }); // prettier-ignore
              if (done) return onAllowed(host);
              notice(words.reviews.sent);
              onPassed(host);
            })
          }
        >
          <span className="truncate">{words.conversation.allow({ host })}</span>
        </Button>
      )}
    </div>
  );
}

/** Says that a host is allowed from now on. What failed is not repeated by itself, so there are buttons for it. */
function Allowed({ host, onDone }: { host: string; onDone: () => void }) {
  const project = useProjectId();
  const working = useView(isRunning);
  const server = useView((view) => view.server?.state);
  const { act, busy, problem } = useAct();
  const thenDone = (work: () => Promise<unknown>) =>
    void act(async () => {
      await work();
      onDone();
    });
  return (
    <div role="status" className={LINE}>
      <span className="min-w-0 grow basis-48">
        <Around text={words.conversation.reachable({ host: SLOT })}>
          <Host>{host}</Host>
        </Around>
      </span>
      <IconButton name={words.conversation.close} onClick={onDone}>
        <X size={16} aria-hidden="true" />
      </IconButton>
      {problem && <Problem>{problem}</Problem>}
      <div className="mb-1 flex basis-full flex-wrap gap-2">
        {server !== undefined && server !== "stopped" && (
          <Button disabled={busy} onClick={() => thenDone(() => controlServer(project, "restart"))}>
            {words.conversation.restartApp}
          </Button>
        )}
        <Button
          disabled={busy}
          onClick={() =>
            thenDone(() =>
              sendMessage(project, { text: words.conversation.reachableAgain({ host }) }),
            )
          }
        >
          {working ? words.conversation.tellModel : words.conversation.letTry}
        </Button>
      </div>
    </div>
  );
}

const Problem = ({ children }: { children: string }) => (
  <span role="alert" className="basis-full text-failed">
    {children}
  </span>
);

const Host = ({ children }: { children: string }) => (
  <span className="font-mono wrap-break-word">{children}</span>
);
