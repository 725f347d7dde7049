import type { DeletedProject } from "@treadle/protocol";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { useDeleteProject } from "../project/use-delete-project.ts";

const MINUTE_MS = 60_000;

/** Recently deleted projects that can still be restored, with a button for each. Draws nothing if there are none. */
export function DeletedProjects({ deleted, now }: { deleted: DeletedProject[]; now: number }) {
  const { putBack } = useDeleteProject();
  const restorable = deleted.filter(({ until }) => until > now);
  if (restorable.length === 0) return null;
  return (
    <ul aria-label={words.home.justDeleted} className="mt-4 text-small text-quiet">
      {restorable.map(({ id, name, until }) => (
        <li key={id} className="flex items-center gap-3 py-1">
          <span dir="auto" className="min-w-0 truncate">
            {words.home.deletedFor({ name, minutes: Math.ceil((until - now) / MINUTE_MS) })}
          </span>
          <Button
            kind="quiet"
            aria-label={words.home.putBackNamed({ name })}
            onClick={() => void putBack(id)}
          >
            {words.home.putBack}
          </Button>
        </li>
      ))}
    </ul>
  );
}
