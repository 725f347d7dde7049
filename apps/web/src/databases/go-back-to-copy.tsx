import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { databaseKey, databasesKey, goBackTo, type Place } from "../api/databases.ts";
import { visibleName } from "../files/tree.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { words } from "../words/words.ts";

/** Restores a database from a copy made before a change. @param onDone called with a description of what was done */
export function GoBackToCopy({
  copy,
  database,
  onDone,
}: {
  copy: string;
  database: Place;
  onDone: (outcome: string) => void;
}) {
  const project = useProjectId();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const name = visibleName(database.path);
  return (
    <>
      <Button onClick={() => setAsks(true)}>{words.databases.back({ name })}</Button>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.databases.backAsk({ name })}
        action={words.databases.backAction}
        onConfirm={async () => {
          const { said: outcome } = await goBackTo(project, database, copy);
          onDone(outcome);
          await client.invalidateQueries({ queryKey: databaseKey(project, database) });
          await client.invalidateQueries({ queryKey: databasesKey(project) });
        }}
      >
        {words.databases.backAbout}
      </Confirm>
    </>
  );
}
