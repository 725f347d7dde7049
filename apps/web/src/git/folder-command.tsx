import { CopyButton } from "../ui/copy-button.tsx";
import { words } from "../words/words.ts";

/** The command that synchronises a local folder with the project. */
export function FolderCommand({ project }: { project: string }) {
  const command = `npx --no-install treadle sync ${project} FOLDER`;
  return (
    <section aria-label={words.git.folder} className="space-y-1 border-t border-line pt-4">
      <h3 className="font-semibold">{words.git.folder}</h3>
      <p className="text-small text-quiet">{words.git.folderAbout}</p>
      <p className="flex items-center gap-1">
        <code
          title={command}
          className="min-w-0 flex-1 truncate rounded bg-hover px-2 py-1 font-mono text-small"
        >
          {command}
        </code>
        <CopyButton name={words.git.copyCommand} text={() => command} />
      </p>
    </section>
  );
}
