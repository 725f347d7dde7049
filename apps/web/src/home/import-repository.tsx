import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState, type FormEvent } from "react";
import {
  importRepository,
  type ImportedRepository,
  type RepositoryToImport,
} from "../api/import-repository.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { ImportedProjects } from "./imported-projects.tsx";

const FIELD = "h-8 min-w-0 rounded border border-edge bg-paper px-2 pointer-coarse:h-11";

/** Imports a git repository by its address. Asks for a login only if its server requires one. */
export default function ImportRepository() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const running = useRef<AbortController>(undefined);
  /** The person's answers for this address so far, because each question shows only its own fields. */
  const answered = useRef<RepositoryToImport>(undefined);
  const [doing, setDoing] = useState<string>();
  const [problem, setProblem] = useState<{ code: string; text: string; url: string }>();
  const [made, setMade] = useState<ImportedRepository>();

  const open = (id: string) => navigate({ to: "/p/$project", params: { project: id } });
  const take = async (repository: RepositoryToImport) => {
    const stop = new AbortController();
    running.current = stop;
    setProblem(undefined);
    setDoing("…");
    try {
      const imported = await importRepository(repository, {
        signal: stop.signal,
        onProgress: (now) =>
          setDoing(words.home.gitDoing({ doing: now.doing, percent: now.percent })),
      });
      await client.invalidateQueries({ queryKey: ["projects"] });
      // Notes have to be read before the project opens.
      if (imported.notes.length === 0) await open(imported.id);
      else setMade(imported);
    } catch (error) {
      if (!stop.signal.aborted)
        setProblem({
          code: error instanceof ApiFailure ? error.code : "",
          text: sentence(error),
          url: repository.url,
        });
    } finally {
      setDoing(undefined);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const url = text("url");
    const repository: RepositoryToImport = {
      ...(answered.current?.url === url && answered.current),
      url,
      // Allows an address in the server's own network.
      ...(problem?.code === "git-local" && problem.url === url && { local: true }),
      ...(text("branch") !== "" && { branch: text("branch") }),
      ...(text("password") !== "" && {
        login: { user: text("user") || "git", password: text("password") },
      }),
    };
    answered.current = repository;
    void take(repository);
  };

  if (made) return <ImportedProjects projects={[{ id: made.id, name: "", notes: made.notes }]} />;
  const wantsLogin = problem?.code === "git-login";
  const wantsBranch = problem?.code === "git-empty" || problem?.code === "git-branch";
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 px-2 pt-1">
      <input
        name="url"
        required
        autoComplete="off"
        spellCheck={false}
        aria-label={words.home.gitAddress}
        placeholder={words.home.gitPlaceholder}
        className={`${FIELD} w-80`}
        disabled={doing !== undefined}
      />
      {wantsBranch && (
        <input
          name="branch"
          autoComplete="off"
          spellCheck={false}
          aria-label={words.home.gitBranch}
          placeholder={words.home.gitBranch}
          className={FIELD}
        />
      )}
      {wantsLogin && (
        <>
          <input
            name="user"
            autoComplete="username"
            aria-label={words.home.gitUser}
            placeholder={words.home.gitUser}
            className={FIELD}
          />
          <input
            name="password"
            type="password"
            autoComplete="current-password"
            aria-label={words.home.gitPassword}
            placeholder={words.home.gitPassword}
            className={FIELD}
          />
        </>
      )}
      {doing === undefined ? (
        <Button type="submit">
          {problem?.code === "git-local" ? words.home.gitLocal : words.home.gitTake}
        </Button>
      ) : (
        <span role="status" className="numbers flex items-center gap-2 text-quiet">
          {doing}
          <Button kind="quiet" onClick={() => running.current?.abort()}>
            {words.home.stopTaking}
          </Button>
        </span>
      )}
      {problem && (
        <p role="alert" className="basis-full text-failed">
          {problem.text}
        </p>
      )}
    </form>
  );
}
