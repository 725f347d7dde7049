import { useQueryClient } from "@tanstack/react-query";
import { visible } from "@treadle/protocol/safe-text";
import { useState } from "react";
import {
  forgetGit,
  gitKey,
  loginsKey,
  pull,
  push,
  setGit,
  type GitLogin,
  type GitPlace,
  type Pulled,
  type Resolution,
} from "../api/git.ts";
import { overviewKey, type Statuses } from "../api/git-branches.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { codedWords } from "../words/coded-words.ts";
import { AskLogin } from "./ask-login.tsx";
import { Branches } from "./branches.tsx";
import { Conflicts } from "./conflicts.tsx";
import { DeviceSignIn } from "./device-sign-in.tsx";
import { PullRequest } from "./pull-request.tsx";
import { StoredLogin } from "./stored-login.tsx";
import { SshKey } from "../ui/ssh-key.tsx";
import { useGitAct } from "./use-git-act.ts";

type Direction = "push" | "pull";
type Asked = Extract<Pulled, { state: "conflicts" }>;

/** Pushes the project to its repository and pulls from it. Asks for what the server requires, and retries. */
export function Sync({ place }: { place: GitPlace }) {
  const project = useProjectId();
  const { url, branch } = place;
  const isSsh = url.startsWith("ssh:");
  const client = useQueryClient();
  const [squash, setSquash] = useState(false);
  const [outcome, setOutcome] = useState("");
  const [asked, setAsked] = useState<Asked>();
  const [last, setLast] = useState<Direction>("push");
  const { act, doing, problem } = useGitAct<Direction | "forget">();

  const refresh = async () => {
    await client.invalidateQueries({ queryKey: gitKey(project) });
    await client.invalidateQueries({ queryKey: loginsKey });
    // Not awaited, because it contacts the repository, which may take a while.
    void client.invalidateQueries({ queryKey: overviewKey(project) });
  };
  const sync = (direction: Direction, { settled, ...more }: Partial<Parts> = {}) =>
    act(direction, async () => {
      setLast(direction);
      setOutcome("");
      if (more.login || more.local)
        await setGit(project, { url, branch, local: place.local, ...more });
      await saveEdits();
      try {
        if (direction === "push") {
          const { pushed, statuses } = await push(project, squash);
          setOutcome([words.git.pushed({ amount: pushed }), ...statusWords(statuses)].join(" "));
        } else {
          const pulled = await pull(project, settled);
          setAsked(pulled.state === "conflicts" ? pulled : undefined);
          if (pulled.state === "current") setOutcome(words.git.current);
          if (pulled.state === "pulled") setOutcome(words.git.pulled({ amount: pulled.files }));
          if (pulled.state === "conflicts" && settled) setOutcome(words.git.changedAgain);
        }
      } finally {
        await refresh();
      }
    });

  return (
    <>
      <div>
        <p className="font-mono text-small break-all">{visible(url)}</p>
        {!place.synced && (
          <p className="text-small text-quiet">{words.git.onBranch({ branch: visible(branch) })}</p>
        )}
        <StoredLogin url={url} />
      </div>
      {place.synced && (
        <Branches busy={doing !== undefined || asked !== undefined} onChanged={refresh} />
      )}
      {isSsh && (!place.synced || problem?.code === "git-login") && <SshKey />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind={problem?.code === "git-moved" ? "plain" : "primary"}
          size="medium"
          disabled={doing !== undefined || asked !== undefined}
          onClick={() => void sync("push")}
        >
          {words.git.push}
        </Button>
        <Button
          kind={problem?.code === "git-moved" ? "primary" : "plain"}
          size="medium"
          disabled={doing !== undefined}
          onClick={() => void sync("pull")}
        >
          {words.git.pull}
        </Button>
        <label className="flex items-center gap-2 text-small pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={squash}
            onChange={(event) => setSquash(event.target.checked)}
          />
          {words.git.squash}
        </label>
      </div>
      <p role="status" className="numbers text-small text-quiet empty:hidden">
        {doing ? words.git.doing[doing] : outcome}
      </p>
      {problem && (
        <div className="space-y-3">
          <p role="alert" className="text-failed">
            {problem.text}
          </p>
          {problem.code === "git-login" && !isSsh && (
            <DeviceSignIn url={url} onSignedIn={() => void sync(last)} />
          )}
          {problem.code === "git-login" && !isSsh && (
            <AskLogin onLogin={(login) => void sync(last, { login })} />
          )}
          {problem.code === "git-local" && (
            <Button size="medium" onClick={() => void sync(last, { local: true })}>
              {words.home.gitLocal}
            </Button>
          )}
        </div>
      )}
      {asked && (
        <Conflicts
          key={asked.seen}
          conflicts={asked.conflicts}
          busy={doing !== undefined}
          onSettle={(resolutions) =>
            void sync("pull", { settled: { seen: asked.seen, resolutions } })
          }
        />
      )}
      {place.synced && (
        <PullRequest
          place={place}
          busy={doing !== undefined || asked !== undefined}
          onChanged={refresh}
        />
      )}
      <Button
        kind="quiet"
        className="-ml-2"
        disabled={doing !== undefined}
        title={words.git.forgetAbout}
        onClick={() =>
          void act("forget", async () => {
            await forgetGit(project);
            await refresh();
          })
        }
      >
        {words.git.forget}
      </Button>
    </>
  );
}

/** Describes the result of setting the commits' statuses; empty if the server does not support them. */
function statusWords(statuses: Statuses | undefined): string[] {
  if (!statuses) return [];
  const { set, failure } = statuses;
  if (!failure) return [words.git.statusesSet({ amount: set })];
  return [words.git.noStatuses({ why: codedWords(failure.message, failure.messageCode) })];
}

interface Parts {
  login: GitLogin;
  local: true;
  settled: { seen: string; resolutions: Record<string, Resolution> };
}
