import { useQuery, useQueryClient } from "@tanstack/react-query";
import { visible } from "@treadle/protocol/safe-text";
import { forgetLogin, loginHost, loginsKey, readLogins } from "../api/git.ts";
import { sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";

/** The stored login for a repository's server. Draws nothing if there is none. */
export function StoredLogin({ url }: { url: string }) {
  const client = useQueryClient();
  const { data: logins } = useQuery({
    queryKey: loginsKey,
    queryFn: ({ signal }) => readLogins(signal),
  });
  const host = loginHost(url);
  const savedLogin = logins?.find((login) => login.host === host);
  if (!savedLogin) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
      {words.git.knownAs({ user: visible(savedLogin.user) })}
      <Button
        kind="quiet"
        onClick={() => {
          forgetLogin(savedLogin.host)
            .then(() => client.invalidateQueries({ queryKey: loginsKey }))
            .catch((error: unknown) => noticeError(sentence(error)));
        }}
      >
        {words.git.forgetLogin}
      </Button>
    </p>
  );
}
