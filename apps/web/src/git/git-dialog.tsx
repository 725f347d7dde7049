import { useQuery } from "@tanstack/react-query";
import { gitKey, readGit } from "../api/git.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { words } from "../words/words.ts";
import { ChoosePlace } from "./choose-place.tsx";
import { CreateRepository } from "./create-repository.tsx";
import { FolderCommand } from "./folder-command.tsx";
import { Sync } from "./sync.tsx";

/** The project's repository: connecting or creating one, pushing and pulling. */
export default function GitDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const { data, error } = useQuery({
    queryKey: gitKey(project),
    queryFn: ({ signal }) => readGit(project, signal),
  });
  return (
    // A click outside does not discard edits of a conflict.
    <DialogBox
      onClose={onClose}
      ready={data !== undefined}
      heldOpen
      title={words.git.title}
      className="top-[8vh] max-h-[84vh] w-160 max-w-[calc(100vw-16px)] overflow-y-auto"
    >
      <div className="space-y-4 p-4">
        {error && <p className="text-failed">{sentence(error)}</p>}
        {data && <Sync place={data} />}
        {data === null && (
          <>
            <p className="text-quiet">{words.git.about}</p>
            <ChoosePlace />
            <CreateRepository />
          </>
        )}
        <FolderCommand project={project} />
      </div>
    </DialogBox>
  );
}
