import { useQueryClient } from "@tanstack/react-query";
import { deleteProject } from "../api/projects.ts";
import { Confirm } from "../ui/confirm.tsx";
import { useProject } from "../project/use-project.ts";
import { words } from "../words/words.ts";

/** Asks, and deletes the project that is open. */
export function DeleteProject({
  open,
  onClose,
  onDeleted,
}: {
  open: boolean;
  onClose: () => void;
  onDeleted: () => Promise<void>;
}) {
  const { id, name } = useProject();
  const client = useQueryClient();
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={words.workbench.deleteProject(name)}
      action={words.workbench.delete}
      onConfirm={async () => {
        await deleteProject(id);
        await onDeleted();
        await client.invalidateQueries({ queryKey: ["projects"] });
      }}
    >
      {words.workbench.deleted}
    </Confirm>
  );
}
