import { useQuery } from "@tanstack/react-query";
import { readSshKey } from "../api/git.ts";
import { sentence } from "../api/request.ts";
import { CopyButton } from "./copy-button.tsx";
import { words } from "../words/words.ts";

/** Treadle's public SSH key, which a server reached through SSH has to accept. */
export function SshKey() {
  const { data: key, error } = useQuery({ queryKey: ["git-ssh-key"], queryFn: readSshKey });
  return (
    <div className="space-y-1">
      <p className="text-small text-quiet">{words.git.sshKey}</p>
      {error && <p className="text-failed">{sentence(error)}</p>}
      {key !== undefined && (
        <p className="flex items-center gap-1">
          <code
            title={key}
            className="min-w-0 flex-1 truncate rounded bg-hover px-2 py-1 font-mono text-small"
          >
            {key}
          </code>
          <CopyButton name={words.git.copyKey} text={() => key} />
        </p>
      )}
    </div>
  );
}
