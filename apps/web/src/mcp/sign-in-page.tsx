import { useEffect, useState } from "react";
import { endSignIn } from "../api/mcp.ts";
import { sentence } from "../api/request.ts";
import { Lost } from "../ui/lost.tsx";
import { words } from "../words/words.ts";

function readCallback() {
  const parameters = new URLSearchParams(location.search);
  return {
    code: parameters.get("code"),
    state: parameters.get("state"),
    issuer: parameters.get("iss"),
    error: parameters.get("error") ?? words.mcp.noCode,
  };
}

/**
 * The page to which a tool server's sign-in returns. Passes the received code to the server and removes it from the URL.
 */
export function SignInPage() {
  const [{ code, state, issuer, error }] = useState(readCallback);
  const [status, setStatus] = useState(
    code && state ? words.mcp.moment : words.mcp.signInFailed({ why: error }),
  );
  useEffect(() => {
    history.replaceState(null, "", location.pathname);
    if (!code || !state) return;
    endSignIn({ code, state, issuer: issuer || undefined }).then(
      () => setStatus(words.mcp.signedIn),
      (failure: unknown) => setStatus(sentence(failure)),
    );
  }, [code, state, issuer]);
  return <Lost title={words.mcp.signInTitle}>{status}</Lost>;
}
