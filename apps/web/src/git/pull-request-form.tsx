import { useId } from "react";
import type { PullRequestDraft } from "../api/git-branches.ts";
import type { GitLogin } from "../api/git.ts";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words/words.ts";
import { AskLogin } from "./ask-login.tsx";
import { DeviceSignIn } from "./device-sign-in.tsx";
import type { PullRequestState } from "./pull-request-lifecycle.ts";

interface FormProps {
  /** Address of the repository. */
  url: string;
  state: Extract<PullRequestState, { phase: "editing" | "sending" }>;
  onEdit: (change: Partial<PullRequestDraft>) => void;
  onSend: () => void;
  onClose: () => void;
  onLogin: (login: GitLogin) => void;
  onSignedIn: () => void;
}

/** The title and text of a pull request, its branches, and the sign-in if nobody is signed in. */
export function PullRequestForm({ url, state, onEdit, onSend, ...rest }: FormProps) {
  const text = useId();
  const { facts, draft, problem } = state;
  const isSending = state.phase === "sending";
  return (
    <section aria-label={words.git.pr.title} className="space-y-3 border-t border-line pt-4">
      <form
        className="space-y-3"
        aria-label={words.git.pr.title}
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <h3 className="font-semibold">{words.git.pr.title}</h3>
        <div className="flex flex-wrap gap-3">
          <Field
            label={facts.isNew ? words.git.pr.newHead : words.git.pr.head}
            value={draft.branch}
            onText={(branch) => onEdit({ branch })}
            readOnly={!facts.isNew}
            required
          />
          <Field
            label={words.git.pr.base}
            value={draft.base}
            onText={(base) => onEdit({ base })}
            required
          />
        </div>
        <Field
          label={words.git.pr.heading}
          value={draft.title}
          onText={(title) => onEdit({ title })}
          required
          maxLength={250}
          spellCheck
        />
        <div>
          <label htmlFor={text} className="text-small text-quiet">
            {words.git.pr.text}
          </label>
          <textarea
            id={text}
            dir="auto"
            value={draft.body}
            onChange={({ target }) => onEdit({ body: target.value })}
            maxLength={60_000}
            rows={12}
            className="mt-0.5 block w-full rounded border border-edge bg-paper p-2 font-mono text-small"
          />
        </div>
        {facts.picture && (
          <PictureChoice
            picture={facts.picture}
            isChosen={draft.picture !== undefined}
            onChoose={(picture) => onEdit({ picture })}
          />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            kind="primary"
            size="medium"
            disabled={isSending || !facts.isSignedIn}
          >
            {words.git.pr.send}
          </Button>
          <Button kind="quiet" size="medium" disabled={isSending} onClick={rest.onClose}>
            {words.git.cancel}
          </Button>
          <p role="status" className="text-small text-quiet">
            {isSending && words.git.pr.sending}
          </p>
        </div>
      </form>
      {problem && (
        <p role="alert" className="text-failed">
          {problem.text}
        </p>
      )}
      {!facts.isSignedIn && (
        <div className="space-y-3">
          <p className="text-small text-quiet">{words.git.pr.signIn}</p>
          <DeviceSignIn url={url} onSignedIn={rest.onSignedIn} />
          <AskLogin onLogin={rest.onLogin} />
        </div>
      )}
    </section>
  );
}

function PictureChoice({
  picture: { hash, way },
  isChosen,
  onChoose,
}: {
  picture: { hash: string; way: "upload" | "attach" | "branch" };
  isChosen: boolean;
  onChoose: (picture: string | undefined) => void;
}) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <LookedPicture picture={{ hash }} subject={words.git.pr.picture} small />
      <label className="flex min-w-0 flex-1 items-center gap-2 text-small pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked ? hash : undefined)}
        />
        {words.git.pr.pictureBy[way]}
      </label>
    </div>
  );
}
