import type { ProjectPath, ProtectedChange } from "@treadle/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { Fragment } from "react";
import { acceptVersion } from "../api/rules.ts";
import type { ProtectedFilesItem } from "../fold/types.ts";
import { acceptedKey } from "@treadle/protocol/fold";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useSettingsPlace } from "../project/settings-place.ts";
import { Around, SLOT } from "../ui/around.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { FileLock2 } from "../ui/icons.ts";
import { DiffView } from "../changes/diff-view.tsx";
import { languageTag, words } from "../words/words.ts";

/** Files that take effect outside the sandbox and that were changed without a request, with the possible actions. */
export function ProtectedFilesLine({ item: { state, files } }: { item: ProtectedFilesItem }) {
  return (
    <section
      aria-label={
        state === "put-back" ? words.conversation.putBack : words.conversation.changedOutside
      }
      className="divide-y divide-line rounded border border-line bg-raised text-small"
    >
      {state === "put-back" ? (
        files.map((file) => <PutBack key={file.path} file={file} />)
      ) : (
        <UndecidedChanges files={files} />
      )}
    </section>
  );
}

const LINE = "flex flex-wrap items-start gap-x-2 gap-y-1 px-2 py-1.5";
const TEXT = "min-w-0 flex-1 basis-60 break-words";

/** Files whose changes stay, but which the model sees only after the person agrees. */
function UndecidedChanges({ files }: { files: readonly ProtectedChange[] }) {
  const accepted = useView((view) => view.accepted);
  const settings = useSettingsPlace();
  const open = files.filter(({ path, version = "" }) => !accepted.has(acceptedKey(path, version)));
  const removed = open.filter(({ version }) => version === "");
  const rules = open.filter(({ told: isAnnounced, version }) => isAnnounced && version !== "");
  const others = open.filter(({ told: isAnnounced, version }) => !isAnnounced && version !== "");
  return (
    <div className={LINE}>
      <Mark />
      <div className={`${TEXT} space-y-1`}>
        {open.length === 0 && (
          <p>
            <FileSentence text={words.conversation.acceptedOutside} files={files} />
          </p>
        )}
        {rules.length > 0 && (
          <p>
            <FileSentence text={words.conversation.rulesOutside} files={rules} />
          </p>
        )}
        {others.length > 0 && (
          <p>
            <FileSentence text={words.conversation.othersOutside} files={others} />
          </p>
        )}
        {removed.length > 0 && (
          <p>
            <FileSentence text={words.conversation.removedOutside} files={removed} />
          </p>
        )}
      </div>
      {open.length > 0 && (
        <Button onClick={() => settings.open("rules")}>{words.conversation.settings}</Button>
      )}
    </div>
  );
}

const Mark = () => (
  <FileLock2 size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-unsure" />
);

/** A sentence with the files' paths as a list: "a, b and c". */
function FileSentence({
  text,
  files,
}: {
  text: (values: { amount: number; file: string }) => string;
  files: readonly ProtectedChange[];
}) {
  const list = new Intl.ListFormat(languageTag()).formatToParts(files.map(({ path }) => path));
  return (
    <Around text={text({ amount: files.length, file: SLOT })}>
      {list.map(({ type, value }, index) => (
        <Fragment key={index}>{type === "element" ? <Path>{value}</Path> : value}</Fragment>
      ))}
    </Around>
  );
}

/** A file that was restored, with a button to use the refused version after all. */
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
        <Around text={outcomeWords(accepted, version === "")}>
          <Path>{path}</Path>
        </Around>
        {!accepted && version === undefined && words.conversation.inHistory}
      </span>
      {version !== undefined && !accepted && (
        <Button disabled={busy} onClick={use}>
          {version === "" ? words.conversation.removeAfterAll : words.conversation.useVersion}
          <span className="sr-only">{words.conversation.ofFile({ path: visible(path) })}</span>
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
            {words.conversation.become}
          </summary>
          <div className="my-1 max-h-80 overflow-auto rounded border border-line">
            <DiffView diff={diff} name={visible(path)} />
          </div>
        </details>
      )}
    </div>
  );
}

function outcomeWords(accepted: boolean, gone: boolean): string {
  if (accepted)
    return gone
      ? words.conversation.wantedGone({ file: SLOT })
      : words.conversation.wantedSo({ file: SLOT });
  return gone
    ? words.conversation.wasRemoved({ file: SLOT })
    : words.conversation.wasChanged({ file: SLOT });
}

const useAccepted = (path: ProjectPath, version = "?") =>
  useView((view) => view.accepted.has(acceptedKey(path, version)));

/** A file's path. For a package.json it adds that only the install scripts are meant. */
const Path = ({ children }: { children: string }) => (
  <>
    <span className="font-mono wrap-anywhere">{visible(children)}</span>
    {/(?:^|\/)package\.json$/i.test(children) && words.conversation.installScripts}
  </>
);
