import { useQueryClient } from "@tanstack/react-query";
import type { ObeyedChange } from "@treadle/protocol";
import { FileLock2 } from "lucide-react";
import { acceptVersion } from "../api/rules.ts";
import type { ObeyedItem } from "../fold/types.ts";
import { acceptedKey } from "../fold/accepted-key.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { openProjectSettings } from "../project/settings-store.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { visible } from "../ui/visible.ts";
import { DiffView } from "../work/diff-view.tsx";

/** Files that are obeyed outside the sandbox and that were changed by who was not asked to, with what can be done. */
export function ObeyedLine({ item: { state, files } }: { item: ObeyedItem }) {
  return (
    <section
      aria-label={state === "put-back" ? "Put back" : "Changed by a program of the project"}
      className="rounded border border-line bg-raised text-small"
    >
      <ul className="divide-y divide-line">
        {files.map((file) => (
          <li key={file.path} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1">
            <FileLock2 size={16} aria-hidden="true" className="shrink-0 text-unsure" />
            {state === "put-back" ? <PutBack file={file} /> : <Stands file={file} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

const TEXT = "min-w-0 flex-1 basis-60 break-words";

/** It stays so, and what it is for the model waits for the person. */
function Stands({ file: { path, version, told } }: { file: ObeyedChange }) {
  const accepted = useAccepted(path, version);
  return (
    <>
      <span className={TEXT}>
        <Path>{path}</Path> was {version === "" ? "removed" : "changed"} by a program of the
        project.{" "}
        {accepted
          ? "You accepted that."
          : told && version !== ""
            ? "It is not told to the model until you accept it in Project settings."
            : version === ""
              ? "It is in the history."
              : "In here it only reaches the sandbox. Look at it before npm, git or an editor obeys it on your own machine."}
      </span>
      {!accepted && <Button onClick={openProjectSettings}>Project settings</Button>}
    </>
  );
}

/** It is as it was; what it had become is one click away. */
function PutBack({ file: { path, version, left, diff } }: { file: ObeyedChange }) {
  const project = useProjectId();
  const client = useQueryClient();
  const accepted = useAccepted(path, version);
  const { act, busy, problem } = useAct();
  const use = () =>
    void act(async () => {
      if (version === undefined) return;
      const rules = await acceptVersion(project, { path, version, ...(left ? { left } : {}) });
      client.setQueryData(["rules", project], rules);
    });
  return (
    <>
      <span className={TEXT}>
        <Path>{path}</Path>{" "}
        {accepted ? (
          `is ${version === "" ? "gone" : "as it had become"}: you wanted it so.`
        ) : (
          <>
            was {version === "" ? "removed" : "changed"} by a command, a program of the project or
            another editor while the model worked, and was put back.
            {version === undefined &&
              " It had become longer than 1 MB or no file, so that is in the history alone."}
          </>
        )}
      </span>
      {version !== undefined && !accepted && (
        <Button disabled={busy} onClick={use}>
          {version === "" ? "Remove it after all" : "Use this version"}
          <span className="sr-only"> of {visible(path)}</span>
        </Button>
      )}
      {problem && (
        <span role="alert" className="basis-full text-failed">
          {problem}
        </span>
      )}
      {diff !== undefined && (
        <details className="basis-full">
          <summary className="cursor-pointer py-0.5 text-quiet pointer-coarse:py-2">
            What it had become
          </summary>
          <div className="my-1 max-h-80 overflow-auto rounded border border-line">
            <DiffView diff={diff} />
          </div>
        </details>
      )}
    </>
  );
}

const useAccepted = (path: string, version = "?") =>
  useView((view) => view.accepted.has(acceptedKey(path, version)));

const Path = ({ children }: { children: string }) => (
  <span className="font-mono break-all">{visible(children)}</span>
);
