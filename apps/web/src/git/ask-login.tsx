import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readSshKey, type GitLogin } from "../api/git.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words/words.ts";

/** What the server of a repository wants before it answers: a name and a password or token, or by ssh a key that it knows. */
export function AskLogin({ url, onLogin }: { url: string; onLogin: (login?: GitLogin) => void }) {
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  if (url.startsWith("ssh:")) return <SshKey onAgain={() => onLogin()} />;
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

function SshKey({ onAgain }: { onAgain: () => void }) {
  const { data: key } = useQuery({ queryKey: ["git-ssh-key"], queryFn: readSshKey });
  return (
    <div className="space-y-2">
      <p className="text-quiet">{words.git.sshKey}</p>
      {key !== undefined && (
        <p className="flex items-center gap-1">
          <code className="min-w-0 flex-1 truncate rounded bg-hover px-2 py-1 font-mono text-small">
            {key}
          </code>
          <CopyButton name={words.git.copyKey} text={() => key} />
        </p>
      )}
      <Button size="medium" onClick={onAgain}>
        {words.home.tryAgain}
      </Button>
    </div>
  );
}
