import type { ProjectPath, ProtectedChange } from "@treadle/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { FileLock2 } from "lucide-react";
import { Fragment } from "react";
import { acceptVersion } from "../api/rules.ts";
import type { ProtectedFilesItem } from "../fold/types.ts";
import { acceptedKey } from "@treadle/protocol/fold";
import { useProjectId, useView } from "../live/live-context.tsx";
import { openProjectSettings } from "../project/settings-store.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { DiffView } from "../changes/diff-view.tsx";

/** Files that are obeyed outside the sandbox and that were changed by who was not asked to, with what can be done. */
export function ProtectedFilesLine({ item: { state, files } }: { item: ProtectedFilesItem }) {
  return (
    <section
      aria-label={state === "put-back" ? "Put back" : "Changed outside of this page"}
      className="divide-y divide-line rounded border border-line bg-raised text-small"
    >
      {state === "put-back" ? (
        files.map((file) => <PutBack key={file.path} file={file} />)
      ) : (
        <Stand files={files} />
      )}
    </section>
  );
}

const LINE = "flex flex-wrap items-start gap-x-2 gap-y-1 px-2 py-1.5";
const TEXT = "min-w-0 flex-1 basis-60 break-words";

/** They stay so, and what they are for the model waits for the person. */
function Stand({ files }: { files: readonly ProtectedChange[] }) {
  const accepted = useView((view) => view.accepted);
  const open = files.filter(({ path, version = "" }) => !accepted.has(acceptedKey(path, version)));
  const removed = open.filter(({ version }) => version === "");
  const rules = open.filter(({ told, version }) => told && version !== "");
  const others = open.filter(({ told, version }) => !told && version !== "");
  const it = (some: readonly ProtectedChange[]) => (some.length === 1 ? "It is" : "They are");
  return (
    <div className={LINE}>
      <Mark />
      <div className={`${TEXT} space-y-1`}>
        {open.length === 0 && (
          <p>
            <Paths files={files} /> changed outside of this page, and you accepted that.
          </p>
        )}
        {rules.length > 0 && (
          <p>
            <Paths files={rules} /> changed by a program of the project, or in another editor while
            it ran. {it(rules)} not told to the model until you accept{" "}
            {rules.length === 1 ? "it" : "them"} in Project settings.
          </p>
        )}
        {others.length > 0 && (
          <p>
            <Paths files={others} /> changed by a program of the project, or in another editor while
            it ran. Look before npm, git or an editor obeys {others.length === 1 ? "it" : "them"} on
            your own machine; in here only the sandbox does.
          </p>
        )}
        {removed.length > 0 && (
          <p>
            <Paths files={removed} /> removed by a program of the project, or in another editor
            while it ran. {it(removed)} in the history.
          </p>
        )}
      </div>
      {open.length > 0 && <Button onClick={openProjectSettings}>Project settings</Button>}
    </div>
  );
}

const Mark = () => (
  <FileLock2 size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-unsure" />
);

/** "a, b and c were". */
function Paths({ files }: { files: readonly ProtectedChange[] }) {
  return (
    <>
      {files.map(({ path }, index) => (
        <Fragment key={path}>
          {index === 0 ? "" : index === files.length - 1 ? " and " : ", "}
          <Path>{path}</Path>
        </Fragment>
      ))}{" "}
      {files.length === 1 ? "was" : "were"}
    </>
  );
}

/** It is as it was; what it had become is one click away. */
function PutBack({ file: { path, version, left, diff } }: { file: ProtectedChange }) {
  const project = useProjectId();
  const client = useQueryClient();
  const accepted = useAccepted(path, version);
  const { act, busy, problem } = useAct();
  const use = () =>
    void act(async () => {
      if (version === undefined) return;
      const rules = await acceptVersion(project, { path, version, left });
      client.setQueryData(["rules", project], rules);
    });
  return (
    <div className={LINE}>
      <Mark />
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
    </div>
  );
}

const useAccepted = (path: ProjectPath, version = "?") =>
  useView((view) => view.accepted.has(acceptedKey(path, version)));

/** Of a package.json its install scripts alone are looked after. */
const Path = ({ children }: { children: string }) => (
  <>
    <span className="font-mono wrap-anywhere">{visible(children)}</span>
    {/(?:^|\/)package\.json$/i.test(children) && " (install scripts)"}
  </>
);
