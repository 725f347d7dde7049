import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { sentence } from "../api/request.ts";
import type { TakenProject } from "../api/upload.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** Most people begin without one. */
const { Part: ImportRepository } = lazyPart(() => import("./import-repository.tsx"));

const { Part: TakenProjects } = lazyPart(async () => ({
  default: (await import("./taken-projects.tsx")).TakenProjects,
}));

type Kind = "folder" | "archive" | "chat";

/** What a browser offers to choose from; of a folder it offers folders. */
const ACCEPTED = {
  archive: ".zip,application/zip",
  chat: ".json,.jsonl,application/json",
} as const;

/** What a folder, an archive or an exported chat that the person has becomes: a project. */
export function OpenExisting() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const running = useRef<AbortController>(undefined);
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const [taken, setTaken] = useState<readonly TakenProject[]>([]);

  const take = (kind: Kind) => {
    const input = document.createElement("input");
    input.type = "file";
    if (kind === "folder") input.webkitdirectory = true;
    else input.accept = ACCEPTED[kind];
    input.addEventListener("change", () => void open(kind, [...(input.files ?? [])]));
    input.click();
  };
  const open = async (kind: Kind, files: readonly File[]) => {
    if (files.length === 0) return;
    const stop = new AbortController();
    running.current = stop;
    setProblem(undefined);
    setTaken([]);
    setShare(0);
    try {
      const made = await takeIn(kind, files, { onShare: setShare, signal: stop.signal });
      await client.invalidateQueries({ queryKey: ["projects"] });
      const [first, ...others] = made;
      // What there is to know of it is read before it is out of sight.
      if (!first || others.length > 0 || first.notes.length > 0) setTaken(made);
      else await navigate({ to: "/p/$project", params: { project: first.id } });
    } catch (error) {
      if (!stop.signal.aborted) setProblem(sentence(error));
    } finally {
      setShare(undefined);
    }
  };

  return (
    <div className="text-small">
      {share === undefined ? (
        <p className="flex flex-wrap items-center gap-1 pl-2 text-quiet">
          {words.home.open}
          <Button kind="quiet" onClick={() => take("folder")}>
            {words.home.folder}
          </Button>
          <Button kind="quiet" onClick={() => take("archive")}>
            {words.home.archive}
          </Button>
          <Button kind="quiet" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
            {words.home.repository}
          </Button>
          <Button kind="quiet" title={words.home.chatAbout} onClick={() => take("chat")}>
            {words.home.chat}
          </Button>
        </p>
      ) : (
        <p role="status" className="numbers flex items-center gap-2 pl-2 text-quiet">
          {words.home.taking({ share: Math.round(share * 100) })}
          <Button kind="quiet" onClick={() => running.current?.abort()}>
            {words.home.stopTaking}
          </Button>
        </p>
      )}
      {isAsking && share === undefined && (
        <Suspense>
          <ImportRepository />
        </Suspense>
      )}
      {taken.length > 0 && (
        <Suspense>
          <TakenProjects projects={taken} />
        </Suspense>
      )}
      {problem !== undefined && (
        <p role="alert" className="px-2 pt-1 text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

async function takeIn(
  kind: Kind,
  files: readonly File[],
  options: { onShare: (share: number) => void; signal: AbortSignal },
): Promise<TakenProject[]> {
  const { importArchive, importChats, importFolder } = await import("./import-project.ts");
  if (kind === "chat") return importChats(files[0]!, options);
  const made = kind === "folder" ? importFolder(files, options) : importArchive(files[0]!, options);
  return [{ name: "", notes: [], ...(await made) }];
}
