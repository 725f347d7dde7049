import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useRef, useState, type ReactNode } from "react";
import { sentence } from "../api/request.ts";
import type { ImportedProject } from "../api/upload.ts";
import { Button, type ButtonProps } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** Loaded lazily, because most people do not need it. */
const { Part: ImportRepository } = lazyPart(() => import("./import-repository.tsx"));

const { Part: ImportedProjects } = lazyPart(async () => ({
  default: (await import("./imported-projects.tsx")).ImportedProjects,
}));

type Kind = "folder" | "archive" | "chat";

/** The types offered by the browser's file dialog; for a folder it offers folders. */
const ACCEPTED = {
  archive: ".zip,application/zip",
  chat: ".json,.jsonl,application/json",
} as const;

/**
 * Creates a project from a folder, an archive, a repository or an exported chat.
 * @param children shown before it on the same line
 */
export function OpenExisting({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const running = useRef<AbortController>(undefined);
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const [imported, setImported] = useState<readonly ImportedProject[]>([]);

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
    setImported([]);
    setShare(0);
    try {
      const made = await importFiles(kind, files, { onShare: setShare, signal: stop.signal });
      await client.invalidateQueries({ queryKey: ["projects"] });
      const [first, ...others] = made;
      // Notes have to be read before the project opens.
      if (!first || others.length > 0 || first.notes.length > 0) setImported(made);
      else await navigate({ to: "/p/$project", params: { project: first.id } });
    } catch (error) {
      if (!stop.signal.aborted) setProblem(sentence(error));
    } finally {
      setShare(undefined);
    }
  };

  return (
    <div className="text-small">
      <div className="mt-3 flex flex-wrap items-center gap-1.5">
        {children}
        {share === undefined ? (
          <p className="flex flex-wrap items-center pl-1.5 text-quiet">
            {words.home.orOpen}
            <Way onClick={() => take("folder")}>{words.home.folder}</Way>
            <span aria-hidden="true">·</span>
            <Way onClick={() => take("archive")}>{words.home.archive}</Way>
            <span aria-hidden="true">·</span>
            <Way aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
              {words.home.repository}
            </Way>
            <span aria-hidden="true">·</span>
            <Way title={words.home.chatAbout} onClick={() => take("chat")}>
              {words.home.chat}
            </Way>
          </p>
        ) : (
          <p role="status" className="numbers flex items-center gap-2 pl-1.5 text-quiet">
            {words.home.taking({ share: Math.round(share * 100) })}
            <Button kind="quiet" onClick={() => running.current?.abort()}>
              {words.home.stopTaking}
            </Button>
          </p>
        )}
      </div>
      {isAsking && share === undefined && (
        <Suspense>
          <ImportRepository />
        </Suspense>
      )}
      {imported.length > 0 && (
        <Suspense>
          <ImportedProjects projects={imported} />
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

const Way = (props: ButtonProps) => (
  <Button kind="quiet" className="px-1.5! pointer-coarse:px-2!" {...props} />
);

async function importFiles(
  kind: Kind,
  files: readonly File[],
  options: { onShare: (share: number) => void; signal: AbortSignal },
): Promise<ImportedProject[]> {
  const { importArchive, importChats, importFolder } = await import("./import-project.ts");
  if (kind === "chat") return importChats(files[0]!, options);
  const made = kind === "folder" ? importFolder(files, options) : importArchive(files[0]!, options);
  return [{ name: "", notes: [], ...(await made) }];
}
