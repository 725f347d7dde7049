import { useReducer } from "react";
import { openPullRequest, readFacts } from "../api/git-branches.ts";
import { setGit, type GitPlace } from "../api/git.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";
import { PullRequestForm } from "./pull-request-form.tsx";
import { pullRequestTransition } from "./pull-request-lifecycle.ts";
import { pullRequestBody, pullRequestTitle } from "./pull-request-text.ts";

/** Opens a pull request for the project's branch, with a text that the person edits before it is sent. */
export function PullRequest({
  place,
  busy,
  onChanged,
}: {
  place: GitPlace;
  busy: boolean;
  onChanged: () => Promise<void>;
}) {
  const project = useProjectId();
  const [state, send] = useReducer(pullRequestTransition, { phase: "closed" });
  const fail = (error: unknown) =>
    send({
      type: "failed",
      problem: { code: error instanceof ApiFailure ? error.code : "", text: sentence(error) },
    });

  async function begin(): Promise<void> {
    send({ type: "begin" });
    try {
      await saveEdits();
      const facts = await readFacts(project);
      const { base, branch, picture } = facts;
      // A branch for pictures appears in the repository, so the person chooses it.
      const shown = picture?.way === "branch" ? undefined : picture?.hash;
      const draft = { title: pullRequestTitle(facts), body: pullRequestBody(facts), base, branch };
      send({ type: "loaded", facts, draft: { ...draft, picture: shown } });
    } catch (error) {
      fail(error);
    }
  }
  async function open(): Promise<void> {
    if (state.phase !== "editing") return;
    send({ type: "send" });
    try {
      const opened = await openPullRequest(project, state.draft);
      const lacksPicture =
        state.draft.picture !== undefined && !opened.existed && !opened.hasPicture;
      send({ type: "opened", opened, lacksPicture });
    } catch (error) {
      fail(error);
    } finally {
      await onChanged();
    }
  }

  if (state.phase === "editing" || state.phase === "sending")
    return (
      <PullRequestForm
        url={place.url}
        state={state}
        onEdit={(change) => send({ type: "edit", change })}
        onSend={() => void open()}
        onClose={() => send({ type: "close" })}
        onLogin={(login) => {
          setGit(project, { ...place, login }).then(() => send({ type: "signed-in" }), fail);
        }}
        onSignedIn={() => {
          send({ type: "signed-in" });
          void onChanged();
        }}
      />
    );
  return (
    <section aria-label={words.git.pr.title} className="space-y-2 border-t border-line pt-4">
      <Button
        size="medium"
        disabled={busy || state.phase === "loading"}
        onClick={() => void begin()}
      >
        {words.git.pr.begin}
      </Button>
      <p role="status" className="text-small text-quiet empty:hidden">
        {state.phase === "loading" ? words.git.pr.loading : ""}
      </p>
      {state.phase === "closed" && state.problem && (
        <p role="alert" className="text-failed">
          {state.problem.text}
        </p>
      )}
      {state.phase === "opened" && (
        <div role="status" className="space-y-1">
          <p>{state.opened.existed ? words.git.pr.existed : words.git.pr.opened}</p>
          <a
            href={state.opened.address}
            target="_blank"
            rel="noreferrer"
            className={`${buttonClass("plain", "medium")} max-w-full`}
          >
            <span className="truncate">{state.opened.address}</span>
          </a>
          {state.lacksPicture && <p className="text-small text-quiet">{words.git.pr.noPicture}</p>}
          {state.opened.statuses?.failure && (
            <p className="text-small text-quiet">
              {words.git.noStatuses({
                why: codedWords(
                  state.opened.statuses.failure.message,
                  state.opened.statuses.failure.messageCode,
                ),
              })}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
