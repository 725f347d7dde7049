import type { FileInfo } from "@treadle/protocol";
import { toast } from "sonner";
import { renameFile, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";

/** What a person does to the list of files. Failures are told in a toast; nothing is replaced. */
export function useFileActions(files: readonly FileInfo[], refresh: () => Promise<unknown>) {
  const project = useProjectId();
  const openFile = useWork((state) => state.openFile);

  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (failure) {
      toast.error(sentence(failure));
      return false;
    }
  };
  const move = async (from: string, to: string) => {
    if (files.some(({ path }) => path === to)) throw new Error(`There is a ${to} already.`);
    await renameFile(project, from, to);
    await refresh();
    // Read now, not when the name was typed: the person may have opened another file meanwhile.
    const { path } = useWork.getState();
    if (path === from) openFile(to);
    else if (path?.startsWith(`${from}/`)) openFile(to + path.slice(from.length));
  };
  return {
    create: (path: string) =>
      attempt(async () => {
        await writeFile(project, path, "", undefined);
        await refresh();
        openFile(path);
      }),
    rename: (from: string, to: string) => attempt(() => move(from, to)),
  };
}
