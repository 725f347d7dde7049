import { Suspense } from "react";
import { useCommand } from "../commands/available.ts";
import { closeDatabases, openDatabases, useDatabasesStore } from "../project/databases-store.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: DatabasesDialog } = lazyPart(() => import("./databases-dialog.tsx"));

/** The databases dialog while it is open, and the command that opens it; its code is loaded when it is first opened. */
export function Databases() {
  useCommand("databases", () => openDatabases());
  const open = useDatabasesStore((state) => state.open);
  return (
    open && (
      <Suspense>
        <DatabasesDialog onClose={closeDatabases} />
      </Suspense>
    )
  );
}
