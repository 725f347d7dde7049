import {
  readRecording,
  type Recording,
  type FileContents,
  type Transcript,
  type TranscriptAnswer,
  type TranscriptCall,
  type TranscriptTurn,
} from "@treadle/transcripts";
import type { Answer, FileChange, LogEntry, LogEvent, ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { wholeLog, type ProjectRecord, type Store } from "@treadle/store";
import { textOf, type Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { VERSION } from "@treadle/common/version";
import { redactTranscript } from "./redact-transcript.ts";

/** Maximum size of a file in a transcript, in bytes; a larger one is left out. */
const FILE_BYTES = 4 * 1024 * 1024;

export interface ExportParts {
  store: Store;
  workspaceOf(project: string): Promise<Workspace>;
  folderOf(project: string): string;
  /** The pictures that were sent with messages, by their hash. */
  picturesOf(project: string): {
    read(hash: string): Promise<{ bytes: Uint8Array } | undefined>;
  };
  /** Values that must not be shown. */
  privateValues(project: string): Promise<string[]>;
}

/**
 * Exports a project's newest turns as a transcript, back to the last one that was not recorded.
 * Keys, secrets and data of this machine are masked in all texts.
 * @param run only the turn of this run
 * @throws ApiFailure 409 `not-recorded` if there is none
 */
export async function exportTranscript(
  parts: ExportParts,
  { id, name }: Pick<ProjectRecord, "id" | "name">,
  run?: string,
): Promise<Transcript> {
  const { store, folderOf } = parts;
  const { entries, runs } = await readRuns(store, id);
  const selected = run === undefined ? runs : runs.filter((one) => one.run === run);
  const recorded: { seen: SeenRun; recording: Recording }[] = [];
  for (const seen of selected.toReversed()) {
    const recording = await readRecording(folderOf(id), seen.run);
    if (!recording) break;
    recorded.unshift({ seen, recording });
  }
  const [first] = recorded;
  if (!first) throw new ApiFailure(409, "not-recorded", sentence("not-recorded"));
  const workspace = await parts.workspaceOf(id);
  const turns: TranscriptTurn[] = [];
  let left: string | undefined;
  for (const { seen, recording } of recorded) {
    const { checkpoint } = recording.head;
    const changed = left === undefined ? {} : await changesBetween(workspace, left, checkpoint);
    turns.push(await turnOf(parts, id, seen, recording, changed));
    left = recording.end ?? checkpoint;
  }
  const transcript: Transcript = {
    treadle: VERSION,
    name,
    before: first.seen === runs[0] ? [] : await linesBefore(store, id, name, entries, first),
    files: await filesAt(workspace, first.recording.head.checkpoint),
    turns,
  };
  return redactTranscript(transcript, id, await parts.privateValues(id));
}

/** The log's record of an ended run. */
interface SeenRun {
  run: string;
  calls: TranscriptCall[];
  answers: TranscriptAnswer[];
  looks: TranscriptTurn["looks"];
  end: Extract<LogEvent, { type: "run-end" }>;
}

async function readRuns(
  store: Store,
  project: string,
): Promise<{ entries: LogEntry[]; runs: SeenRun[] }> {
  const entries: LogEntry[] = [];
  for await (const entry of wholeLog(store, project)) entries.push(entry);
  const open = new Map<string, Omit<SeenRun, "end">>();
  const calls = new Map<string, { run: string; tool: string; input: Record<string, unknown> }>();
  const looking = new Map<string, TranscriptTurn["looks"][number]>();
  const runs: SeenRun[] = [];
  /** A look has ended when anything else of its run follows. */
  const endLook = (run: string) => {
    const look = looking.get(run);
    if (look) open.get(run)?.looks.push(look);
    looking.delete(run);
  };
  for (const { event } of entries) {
    switch (event.type) {
      case "run-start":
        open.set(event.run, { run: event.run, calls: [], answers: [], looks: [] });
        break;
      case "call-open":
        calls.set(event.call, { run: event.run, tool: event.tool, input: {} });
        break;
      case "call-input": {
        const call = calls.get(event.call);
        if (call) call.input = event.input;
        break;
      }
      case "call-end": {
        const { run, tool, input } = calls.get(event.call) ?? {};
        if (run === undefined || tool === undefined) break;
        const { status, title, result } = event;
        open.get(run)?.calls.push({ tool, input: input ?? {}, status, title, result });
        break;
      }
      case "answer":
        open.get(event.run)?.answers.push(answerOf(event.answer));
        break;
      case "evidence":
        if (event.run !== undefined) looking.set(event.run, event.evidence);
        break;
      case "step-start":
      case "repair":
        endLook(event.run);
        break;
      case "run-end": {
        endLook(event.run);
        const seen = open.get(event.run);
        if (seen) runs.push({ ...seen, end: event });
        open.delete(event.run);
        break;
      }
      default:
    }
  }
  return { entries, runs };
}

const answerOf = (answer: Answer): TranscriptAnswer =>
  answer.kind === "approve" ? { kind: "approve", always: answer.always } : answer;

async function turnOf(
  { picturesOf }: ExportParts,
  project: string,
  { calls, answers, looks, end }: SeenRun,
  { head, exchanges }: Recording,
  changed: FileContents,
): Promise<TranscriptTurn> {
  const { pictures: sent = [], ...asked } = head.asked;
  const pictures: string[] = [];
  for (const { hash } of sent) {
    const picture = await picturesOf(project).read(hash);
    if (picture) pictures.push(Buffer.from(picture.bytes).toString("base64"));
  }
  const { outcome, verdict, summary, steps, error } = end;
  return {
    asked,
    pictures,
    model: head.model,
    settings: head.settings,
    changed,
    exchanges,
    calls,
    answers,
    looks: looks.map(withoutPictures),
    end: { outcome, verdict, summary, steps, error: error?.code },
  };
}

/** Pictures of pages are not part of a transcript. */
const withoutPictures = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) => (key === "picture" ? undefined : one)),
  ) as T;

/** The log before the first turn, with its messages, as importable lines. */
async function linesBefore(
  store: Store,
  project: string,
  name: string,
  entries: readonly LogEntry[],
  { recording }: { recording: Recording },
): Promise<object[]> {
  const { message } = recording.head;
  const isIts = ({ event }: LogEntry) => event.type === "message" && event.message === message;
  const until = entries.findIndex(isIts);
  const messages = await store.messages.list(project);
  const at = messages.findIndex(({ id }) => id === message);
  return [
    { treadle: 1, name },
    ...messages.slice(0, Math.max(0, at)).map((one) => ({ message: one })),
    ...entries.slice(0, Math.max(0, until)),
  ];
}

/** The contents of all files at a checkpoint. */
async function filesAt(workspace: Workspace, checkpoint: string): Promise<FileContents> {
  const { files } = await workspace.files.list();
  const since = new Map((await workspace.diff(checkpoint)).map((one) => [one.path, one.kind]));
  const then = new Set<ProjectPath>(
    files.filter(({ kind }) => kind === "file").map(({ path }) => path),
  );
  for (const [path, kind] of since)
    if (kind === "added") then.delete(path);
    else then.add(path);
  return contentsAt(workspace, checkpoint, [...then]);
}

async function changesBetween(
  workspace: Workspace,
  from: string,
  to: string,
): Promise<FileContents> {
  if (from === to) return {};
  const changed = await workspace.diff(from, to);
  const removed = changed.filter(({ kind }) => kind === "removed").map(({ path }) => path);
  const there = changed.filter(({ kind }) => kind !== "removed").map(({ path }) => path);
  return {
    ...Object.fromEntries(removed.map((path) => [path, null])),
    ...(await contentsAt(workspace, to, there)),
  };
}

async function contentsAt(
  workspace: Workspace,
  checkpoint: string,
  paths: readonly FileChange["path"][],
): Promise<FileContents> {
  const contents: FileContents = {};
  for (const path of paths.toSorted()) {
    const file = await workspace.fileAt(checkpoint, toProjectPath(path));
    if (!file || file.link || file.bytes.byteLength > FILE_BYTES) continue;
    contents[path] = textOf(file.bytes) ?? { base64: Buffer.from(file.bytes).toString("base64") };
  }
  return contents;
}
