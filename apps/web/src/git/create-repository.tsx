import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import {
  createRepository,
  FORGES,
  gitKey,
  loginHost,
  loginsKey,
  push,
  readLogins,
  type Forge,
} from "../api/git.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { useProject } from "../project/use-project.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";
import { DeviceSignIn } from "./device-sign-in.tsx";
import { repositoryName } from "./repository-name.ts";
import { noticeError } from "../ui/notice.ts";
import { sentence } from "../api/request.ts";
import { useGitAct } from "./use-git-act.ts";

/** The product names of the git servers. */
const NAMES: Record<Forge, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  forgejo: "Forgejo",
  gitea: "Gitea",
};
const SELECT = "mt-0.5 h-8 w-full rounded border border-edge bg-paper px-2 pointer-coarse:h-11";
/** Well-known addresses, which need not be typed. */
const PUBLIC: Partial<Record<Forge, string>> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
};

/**
 * Creates a repository on a git server with a token, which is stored on Treadle's server, and pushes the project to it.
 */
export function CreateRepository() {
  const project = useProjectId();
  const { name: called } = useProject();
  const client = useQueryClient();
  const select = useId();
  const [forge, setForge] = useState<Forge>("github");
  const [server, setServer] = useState("");
  const [name, setName] = useState(() => repositoryName(called));
  const [owner, setOwner] = useState("");
  const [token, setToken] = useState("");
  const [isPrivate, setPrivate] = useState(true);
  const { act, doing, problem } = useGitAct<"create">();
  /** The address that the person confirmed although it is in the network of Treadle's server. */
  const [meant, setMeant] = useState<string>();
  const { data: logins } = useQuery({
    queryKey: loginsKey,
    queryFn: ({ signal }) => readLogins(signal),
  });
  const address = server.trim() || (PUBLIC[forge] ?? "");
  const isSignedIn = logins?.some(({ host }) => host === loginHost(address)) === true;
  const asksIfMeant = problem?.code === "git-local" && meant !== server;
  const create = () =>
    act("create", async () => {
      const local = asksIfMeant || meant === server;
      if (local) setMeant(server);
      await createRepository(project, {
        forge,
        name: name.trim(),
        token: token.trim() === "" ? undefined : token.trim(),
        private: isPrivate,
        server: server.trim() === "" ? undefined : server.trim(),
        owner: owner.trim() === "" ? undefined : owner.trim(),
        local: local || undefined,
      });
      // The repository exists; a failed push is reported separately and can be retried.
      await saveEdits();
      await push(project, false).catch((error: unknown) => noticeError(sentence(error)));
      await client.invalidateQueries({ queryKey: gitKey(project) });
      await client.invalidateQueries({ queryKey: loginsKey });
    });
  return (
    <form
      aria-label={words.git.create}
      className="space-y-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h3 className="font-semibold">{words.git.create}</h3>
      <div className="grid gap-3 wide:grid-cols-2">
        <div>
          <label htmlFor={select} className="text-small text-quiet">
            {words.git.forge}
          </label>
          <Select
            id={select}
            value={forge}
            options={FORGES.map((value) => ({ value, name: NAMES[value] }))}
            onChoose={setForge}
            className={SELECT}
          />
        </div>
        <Field
          label={PUBLIC[forge] ? words.git.ownServer : words.git.server}
          value={server}
          onText={setServer}
          required={!PUBLIC[forge]}
          placeholder={words.git.serverPlaceholder}
        />
        <Field label={words.git.name} value={name} onText={setName} required />
        <Field label={words.git.owner} value={owner} onText={setOwner} />
      </div>
      <Field
        label={words.git.token}
        note={words.git.tokenNote}
        value={token}
        onText={setToken}
        required={!isSignedIn}
        type="password"
        autoComplete="new-password"
      />
      <DeviceSignIn url={address} />
      <label className="flex items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={isPrivate}
          onChange={(event) => setPrivate(event.target.checked)}
        />
        {words.git.private}
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" size="medium" disabled={doing !== undefined}>
          {asksIfMeant ? words.home.gitLocal : words.git.createAndPush}
        </Button>
        <p role="status" className="text-small text-quiet">
          {doing && words.git.doing[doing]}
        </p>
      </div>
      {problem && (
        <p role="alert" className="text-failed">
          {problem.text}
        </p>
      )}
    </form>
  );
}
