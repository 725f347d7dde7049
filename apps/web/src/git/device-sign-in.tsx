import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  beginSignIn,
  cancelSignIn,
  readSignIn,
  readSignInServers,
  signInKey,
  signInServersKey,
  type SignIn,
} from "../api/git-branches.ts";
import { loginsKey } from "../api/git.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useAct } from "../ui/use-act.ts";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

/** Polling interval until the person has entered the code, in milliseconds. */
const ASK_MS = 1_500;

/** The address of the server's pages for a repository; undefined if it is not a web address. */
const webOf = (url: string) => {
  const address = URL.parse(url);
  return address && `${address.protocol === "ssh:" ? `https://${address.hostname}` : address.origin}${address.pathname}`; // prettier-ignore
};

/** Signs in at a repository's server with a code. Draws nothing if the operator did not configure that server. */
export function DeviceSignIn({ url, onSignedIn }: { url: string; onSignedIn?: () => void }) {
  const { data: servers } = useQuery({
    queryKey: signInServersKey,
    queryFn: ({ signal }) => readSignInServers(signal),
  });
  const web = `${webOf(url) ?? ""}/`;
  const server = servers?.find((one) => web.startsWith(`${one}/`));
  if (server === undefined) return null;
  return <SignInAt key={server} server={server} onSignedIn={onSignedIn} />;
}

function SignInAt({
  server,
  onSignedIn,
}: {
  server: string;
  onSignedIn?: (() => void) | undefined;
}) {
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const { host } = new URL(server);
  const { data: state } = useQuery<SignIn | null>({
    queryKey: signInKey(server),
    // The person begins it with the button; the result of an earlier sign-in is not shown.
    enabled: ({ state: { data } }) => isRunning(data),
    initialData: null,
    refetchInterval: ({ state: { data } }) => (isRunning(data) ? ASK_MS : false),
    queryFn: ({ signal }) => readSignIn(server, signal),
  });
  const set = (next: SignIn | null) => client.setQueryData(signInKey(server), next);
  const isSignedIn = state?.phase === "signed-in";
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (!isSignedIn || wasSignedIn.current) return;
    wasSignedIn.current = true;
    void client.invalidateQueries({ queryKey: loginsKey });
    onSignedIn?.();
  }, [client, isSignedIn, onSignedIn]);
  if (isRunning(state))
    return (
      <section aria-label={words.git.device.title({ host })} className="space-y-2">
        {state.userCode === undefined || state.verificationUri === undefined ? (
          <p role="status" className="text-small text-quiet">
            {words.git.device.requesting({ host })}
          </p>
        ) : (
          <>
            <p>{words.git.device.enter({ host })}</p>
            <p className="flex flex-wrap items-center gap-2">
              <code className="rounded bg-hover px-2 py-1 font-mono text-large">
                {state.userCode}
              </code>
              <CopyButton name={words.git.device.copy} text={() => state.userCode ?? ""} />
              <a
                href={state.verificationUri}
                target="_blank"
                rel="noreferrer"
                className={buttonClass("plain", "medium")}
              >
                {words.git.device.open({ host })}
              </a>
              <Button
                kind="quiet"
                onClick={() => void act(async () => set(await cancelSignIn(server)))}
              >
                {words.git.cancel}
              </Button>
            </p>
            <p role="status" className="text-small text-quiet">
              {words.git.device.waiting}
            </p>
          </>
        )}
      </section>
    );
  return (
    <div className="space-y-2">
      {!isSignedIn && (
        <Button
          size="medium"
          disabled={busy}
          onClick={() =>
            void act(async () => {
              wasSignedIn.current = false;
              set(await beginSignIn(server));
            })
          }
        >
          {words.git.device.begin({ host })}
        </Button>
      )}
      <p role="status" className="text-small text-quiet empty:hidden">
        {endWords(state, host)}
      </p>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

const isRunning = (state: SignIn | null | undefined): state is SignIn =>
  state?.phase === "requesting" || state?.phase === "waiting";

function endWords(state: SignIn | null | undefined, host: string): string {
  switch (state?.phase) {
    case "signed-in":
      return words.git.device.signedIn({ host });
    case "denied":
      return words.git.device.denied({ host });
    case "expired":
      return words.git.device.expired;
    case "failed":
      return state.error ? codedWords(state.error.message, state.error.messageCode) : "";
    default:
      return "";
  }
}
