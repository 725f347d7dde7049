import { useEffect, useState } from "react";
import { endSignIn } from "../api/mcp.ts";
import { sentence } from "../api/request.ts";
import { Lost } from "../ui/lost.tsx";

function readGiven() {
  const given = new URLSearchParams(location.search);
  return {
    code: given.get("code"),
    state: given.get("state"),
    issuer: given.get("iss"),
    error: given.get("error") ?? "no code came",
  };
}

/** Where the sign-in page of a tool server leads back to: what it gave goes to the server, and out of the address. */
export function SignInPage() {
  const [{ code, state, issuer, error }] = useState(readGiven);
  const [said, setSaid] = useState(
    code && state ? "One moment…" : `Signing in did not work: ${error}.`,
  );
  useEffect(() => {
    history.replaceState(null, "", location.pathname);
    if (!code || !state) return;
    endSignIn({ code, state, issuer: issuer || undefined }).then(
      () => setSaid("You are signed in. You can close this page."),
      (failure: unknown) => setSaid(sentence(failure)),
    );
  }, [code, state, issuer]);
  return <Lost title="Sign in to a tool server">{said}</Lost>;
}
