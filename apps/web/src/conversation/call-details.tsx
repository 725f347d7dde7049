import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import { useState } from "react";
import { holdsContent, isForeignTool, toolKind } from "@treadle/protocol/tools";
import { textOf } from "../fold/gathered.ts";
import type { CallItem } from "../fold/types.ts";
import { readCall } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { completeCall } from "../fold/apply-to-call.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { noticeError } from "../ui/notice.ts";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { shownOutput } from "../ui/format.ts";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

/** Maximum characters drawn of an argument, an output or a result. */
const MAX_SHOWN_CHARS = 12_000;

/** A call's arguments, its output, and the result that the model received. */
export function CallDetails({
  call: shown,
  withPath = true,
}: {
  call: CallItem;
  withPath?: boolean;
}) {
  const project = useProjectId();
  const [fullCall, setFullCall] = useState<CallItem>();
  const call = fullCall ?? shown;
  const showAll = () =>
    void readCall(project, call.call)
      .then((entries) => setFullCall(completeCall(call, entries)))
      .catch((error: unknown) => noticeError(sentence(error)));
  const { input, path, output, result } = call;
  const command = input?.["command"];
  const content = call.fields.get("content");
  const edits = readEdits(input?.["edits"]);
  const isThere = useView((view) => view.changes.get(path ?? PROJECT_FOLDER)?.kind === "written");
  // The call was interrupted while its arguments were being written, so nothing of it was executed.
  const isDraft = call.status === "interrupted" && (input === undefined || !isThere);
  // The path argument of a look is a URL of the app, which the line already shows.
  const leadsOn = toolKind(call.tool) !== "looks" && (isThere || !isDraft);
  const printed = output ? shownOutput(textOf(output)) : "";
  return (
    <div className="space-y-2 text-small">
      {withPath && path !== undefined && leadsOn && <PathLink path={path} />}
      {isDraft && content && <p className="text-unsure">{words.conversation.untilThen}</p>}
      {/* All arguments of a foreign tool, for the person who approves the call. */}
      {isForeignTool(call.tool) && input && (
        <Block text={visible(JSON.stringify(input, undefined, 2))} />
      )}
      {typeof command === "string" && <Block text={visible(`$ ${command}`)} />}
      {content && <Block text={textOf(content)} />}
      {edits.map((edit, index) => (
        <Edit key={index} {...edit} />
      ))}
      {printed.trim() !== "" && <Block text={printed} tail />}
      {call.picture && (
        <LookedPicture
          picture={call.picture}
          subject={typeof input?.["path"] === "string" ? input["path"] : "the page"}
        />
      )}
      {result !== undefined && result !== "" && showResult(call) && <Block text={result} quiet />}
      {call.cut && (
        <button
          type="button"
          className="text-accent hover:underline pointer-coarse:min-h-11"
          onClick={showAll}
        >
          {words.conversation.showWhole}
        </button>
      )}
    </div>
  );
}

/**
 * Whether to show the result that the model received. Not for a successful write or command, because the line above
 * already says all of it.
 */
function showResult(call: CallItem): boolean {
  if (call.status !== "ok") return true;
  return !holdsContent(call.tool) && toolKind(call.tool) !== "runs";
}

function PathLink({ path }: { path: ProjectPath }) {
  const openFile = useWork((state) => state.openFile);
  return (
    <button
      type="button"
      onClick={() => openFile(path)}
      className="font-mono break-all text-accent hover:underline"
    >
      {visible(path)}
      <span className="sr-only">{words.conversation.showInEditor}</span>
    </button>
  );
}

function Block({
  text,
  tail = false,
  quiet = false,
}: {
  text: string;
  tail?: boolean;
  quiet?: boolean;
}) {
  const [most, setMost] = useState(MAX_SHOWN_CHARS);
  const cut = text.length > most;
  const shown = cut ? (tail ? text.slice(-most) : text.slice(0, most)) : text;
  return (
    <>
      <pre
        className={`max-h-80 overflow-auto font-mono text-small whitespace-pre-wrap ${quiet ? "text-quiet" : ""}`}
      >
        {cut && tail && "…\n"}
        {visibleProse(shown)}
        {cut && !tail && "\n…"}
      </pre>
      {cut && (
        <button
          type="button"
          className="text-accent hover:underline pointer-coarse:min-h-11"
          onClick={() => setMost(most * 4)}
        >
          {tail
            ? words.conversation.lastLines({ shown: linesOf(shown), all: linesOf(text) })
            : words.conversation.firstLines({ shown: linesOf(shown), all: linesOf(text) })}
        </button>
      )}
    </>
  );
}

const linesOf = (text: string) => text.split("\n").length.toLocaleString("en");

function Edit({ before, after }: { before: string; after: string }) {
  const lines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  return (
    <pre className="max-h-80 overflow-auto font-mono text-small">
      {lines(before).map((line, index) => (
        <span key={`-${index}`} className="block text-failed">{`− ${visibleProse(line)}`}</span>
      ))}
      {lines(after).map((line, index) => (
        <span key={`+${index}`} className="block text-verified">{`+ ${visibleProse(line)}`}</span>
      ))}
    </pre>
  );
}

/** The edits of a file, parsed from untrusted arguments; invalid ones are skipped. */
function readEdits(edits: unknown): { before: string; after: string }[] {
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit: unknown) => {
    if (typeof edit !== "object" || edit === null) return [];
    const { old, new: next } = edit as { old?: unknown; new?: unknown };
    return typeof old === "string" && typeof next === "string"
      ? [{ before: old, after: next }]
      : [];
  });
}
