import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useRef, useState } from "react";
import { sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Most people begin without one. */
const ImportRepository = lazy(() => import("./import-repository.tsx"));

/** What a folder or an archive that the person has becomes: a project. */
export function OpenExisting() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const running = useRef<AbortController>(undefined);
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);

  const take = (kind: "folder" | "archive") => {
    const input = document.createElement("input");
    input.type = "file";
    if (kind === "archive") input.accept = ".zip,application/zip";
    else input.webkitdirectory = true;
    input.addEventListener("change", () => void open(kind, [...(input.files ?? [])]));
    input.click();
  };
  const open = async (kind: "folder" | "archive", files: readonly File[]) => {
    if (files.length === 0) return;
    const stop = new AbortController();
    running.current = stop;
    setProblem(undefined);
    setShare(0);
    try {
      const { importArchive, importFolder } = await import("./import-project.ts");
      const options = { onShare: setShare, signal: stop.signal };
      const { id } = await (kind === "folder"
        ? importFolder(files, options)
        : importArchive(files[0]!, options));
      await client.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/p/$project", params: { project: id } });
    } catch (error) {
      if (!stop.signal.aborted) setProblem(sentence(error));
    } finally {
      setShare(undefined);
    }
  };

  return (
    <div className="text-small">
      {share === undefined ? (
        <p className="flex items-center gap-1 pl-2 text-quiet">
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
        </p>
      ) : (
        <p role="status" className="numbers flex items-center gap-2 pl-2 text-quiet">
          {words.home.taking(Math.round(share * 100))}
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
      {problem !== undefined && (
        <p role="alert" className="px-2 pt-1 text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
