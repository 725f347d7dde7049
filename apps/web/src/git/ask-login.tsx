import { useState } from "react";
import type { GitLogin } from "../api/git.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words/words.ts";

/** Asks for the login that a repository's server requires. */
export function AskLogin({ onLogin }: { onLogin: (login: GitLogin) => void }) {
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form
      aria-label={words.git.login}
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        onLogin({ user: user.trim() || "git", password });
      }}
    >
      <div className="flex flex-wrap gap-3">
        <Field
          label={words.home.gitUser}
          value={user}
          onText={setUser}
          autoComplete="username"
          autoFocus
        />
        <Field
          label={words.home.gitPassword}
          note={words.git.kept}
          value={password}
          onText={setPassword}
          required
          type="password"
          autoComplete="current-password"
        />
      </div>
      <Button type="submit" size="medium">
        {words.git.signIn}
      </Button>
    </form>
  );
}
