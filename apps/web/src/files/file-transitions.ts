/**
 * The lifecycle of one file in the editor: reading, saving, conflicts with other writers, closing. `FileSession`
 * carries out the effects.
 *
 * Invariants in every order of events (the tests generate random orders):
 * - Nothing typed is lost: it is in the editor, in a write in progress, stored for the next opening, or on the disk,
 *   until the person explicitly discards it.
 * - No change is overwritten unseen: a write names the version that its text is based on.
 * - Nothing runs twice: there is at most one write and one read of a file at a time.
 * - Text shown as saved is the last one read or written, never an older answer.
 * - No state is final except `closed`, which a closing session reaches once its write has ended.
 */
import type { FileBody } from "@treadle/protocol";
import type { Step } from "@treadle/protocol/lifecycle";
import { plainText } from "@treadle/dialects/text-form";

/** The version of the file that the editor's text is based on. */
export interface FileSource {
  /** Undefined if the file does not exist yet. */
  readonly version: string | undefined;
  /** The text of that version, with its own line endings and byte-order mark. */
  readonly base: string | undefined;
}

interface Shared {
  readonly source: FileSource;
  /** Number of edits by the person. */
  readonly edits: number;
  /** Sequence number of the file's newest change in the log. */
  readonly change: number;
  /** The version after that change; undefined if the log does not record it or the file was deleted. */
  readonly versionAfter: string | undefined;
  /** Whether a read is in progress. */
  readonly isReading: boolean;
  /**
   * Whether the file has to be read again, because the read in progress may return an older version or none has started
   * yet.
   */
  readonly readAgain: boolean;
}

type Phase =
  /** Nothing is shown yet. */
  | { readonly kind: "loading" }
  /** The editor shows the file on the disk. */
  | { readonly kind: "saved" }
  /** The person has typed; the text is saved at the next pause. */
  | { readonly kind: "edited" }
  /**
   * A write is in progress. `edit`: the last edit in it; `again`: whether later edits have to be written as soon as it
   * ends.
   */
  | { readonly kind: "saving"; readonly edit: number; readonly again: boolean }
  /** The last write failed. */
  | { readonly kind: "problem"; readonly reason: string }
  /**
   * Someone else wrote first. `base`: the common ancestor; `marked`: the editor holds both texts between conflict
   * markers.
   */
  | {
      readonly kind: "conflict";
      readonly theirs: FileBody | undefined;
      readonly base: string | undefined;
      readonly marked: boolean;
    }
  /** The model is writing the file. Without `call` it has finished, and the file is being read. */
  | { readonly kind: "written"; readonly call: string | undefined; readonly asked: boolean }
  /** The file no longer exists, and there is no unsaved text. */
  | { readonly kind: "gone" }
  /** A file that no editor can hold, such as a picture. */
  | { readonly kind: "shown"; readonly body: FileBody }
  | { readonly kind: "unreadable"; readonly reason: string }
  /** Closed during a write. `next`: text typed since that write began, to be written after it. */
  | { readonly kind: "closing"; readonly next: string | undefined }
  | { readonly kind: "closed" };

export type FileState = Shared & Phase;

/** The tool call in which the model writes the file. */
export interface WritingCall {
  readonly id: string;
  /** Whether the person has to approve the call first. */
  readonly asked: boolean;
}

export type FileEvent =
  /** Opens the session. `unsaved`: text that was unsaved when the file was last closed. */
  | {
      readonly type: "open";
      readonly change: number;
      readonly call: WritingCall | undefined;
      readonly unsaved: { readonly text: string; readonly source: FileSource } | undefined;
    }
  /** The latest state of the file in the log. */
  | {
      readonly type: "log";
      readonly change: number;
      readonly versionAfter: string | undefined;
      readonly call: WritingCall | undefined;
    }
  | { readonly type: "edited" }
  /** The person has stopped typing. */
  | { readonly type: "paused" }
  /** The text has to be saved now. */
  | { readonly type: "save" }
  /** `text`: the text as the editor had it; `base`: as the file has it. */
  | { readonly type: "written"; readonly version: string; readonly base: string }
  | { readonly type: "refused"; readonly theirs: FileBody | undefined; readonly text: string }
  | { readonly type: "write-failed"; readonly reason: string }
  /** `text`: the editor's text at that moment. */
  | { readonly type: "read"; readonly body: FileBody; readonly text: string }
  | { readonly type: "missing" }
  | { readonly type: "read-failed"; readonly reason: string }
  | { readonly type: "keep-mine" }
  | { readonly type: "take-theirs" }
  /**
   * The merge of both texts, based on the given version of the other text; `marked`: whether conflicts are left to the
   * person.
   */
  | {
      readonly type: "merged";
      readonly version: string;
      readonly text: string;
      readonly marked: boolean;
    }
  /** `text`: the editor's text when it closes. */
  | { readonly type: "close"; readonly text: string };

export type FileEffect =
  | { readonly type: "read" }
  /** Writes `text`, or else the editor's text, with the line endings and byte-order mark of the source. */
  | { readonly type: "write"; readonly source: FileSource; readonly text?: string }
  /** Sends "paused" after a pause in typing; restarts a running timer. */
  | { readonly type: "start-timer" }
  | { readonly type: "stop-timer" }
  | { readonly type: "show"; readonly text: string }
  | { readonly type: "set-read-only"; readonly value: boolean }
  /** Empties the editor; the model's text is typed into it until "end-typing". */
  | { readonly type: "begin-typing"; readonly call: string }
  | { readonly type: "end-typing" }
  /** Stores the text for the next time the file is opened, replacing what this session stored before. */
  | { readonly type: "keep"; readonly text: string; readonly source: FileSource }
  | { readonly type: "forget" };

type FileStep = Step<FileState, FileEffect>;

export const NEW_FILE_SESSION: FileState = {
  kind: "loading",
  source: { version: undefined, base: undefined },
  edits: 0,
  change: 0,
  versionAfter: undefined,
  isReading: false,
  readAgain: false,
};

/**
 * Returns the next state and its effects. Accepts every event in every state; an event that does not apply changes
 * nothing.
 */
export function transition(state: FileState, event: FileEvent): FileStep {
  switch (event.type) {
    case "open":
      return open(state, event);
    case "log":
      return followLog(state, event);
    case "edited":
      return edit(state);
    case "paused":
      return state.kind === "edited" ? startWrite(state) : same(state);
    case "save":
      return save(state);
    case "written":
      return endWrite(state, { version: event.version, base: event.base });
    case "refused":
      return meetRefusal(state, event);
    case "write-failed":
      if (state.kind === "saving")
        return readIfRequested(enter(state, { kind: "problem", reason: event.reason }));
      return state.kind === "closing" ? close(state) : same(state);
    case "read":
    case "missing":
    case "read-failed":
      return endRead(state, event);
    case "keep-mine":
      return state.kind === "conflict" ? startWrite(rebaseOnTheirs(state)) : same(state);
    case "take-theirs":
      return takeTheirs(state);
    case "merged":
      return takeMerged(state, event);
    case "close":
      return beginClose(state, event.text);
  }
}

const same = (state: FileState): FileStep => ({ state, effects: [] });

/** Returns the state in another phase, without the fields of the previous phase. */
function enter(state: FileState, phase: Phase): FileState {
  const { source, edits, change, versionAfter, isReading, readAgain } = state;
  return { source, edits, change, versionAfter, isReading, readAgain, ...phase };
}

function open(state: FileState, event: FileEvent & { type: "open" }): FileStep {
  if (state.kind !== "loading") return same(state);
  const { unsaved, change, call } = event;
  if (unsaved) {
    const { state: next, effects } = startWrite({ ...state, change, source: unsaved.source });
    const shown: FileEffect[] = [{ type: "show", text: unsaved.text }, editable];
    return { state: next, effects: [...shown, ...effects] };
  }
  const next = { ...state, change };
  return call ? beginTyping(next, call) : read(next);
}

const editable: FileEffect = { type: "set-read-only", value: false };
const notEditable: FileEffect = { type: "set-read-only", value: true };

/** Whether the editor holds text by the person that is not on the disk. */
export const hasUnsaved = ({ kind }: Pick<FileState, "kind">): boolean =>
  kind === "edited" ||
  kind === "saving" ||
  kind === "problem" ||
  kind === "conflict" ||
  kind === "closing";

function followLog(state: FileState, event: FileEvent & { type: "log" }): FileStep {
  const { call, change, versionAfter } = event;
  if (state.kind === "closing" || state.kind === "closed") return same(state);
  if (call && !hasUnsaved(state)) return beginTyping(state, call);
  const isOver = state.kind === "written" && state.call !== undefined;
  const next = isOver ? enter(state, { kind: "written", call: undefined, asked: false }) : state;
  const isNew = change > state.change;
  if (!isNew && !isOver) return readIfRequested(state);
  const newest = isNew ? { ...next, change, versionAfter } : next;
  // The editor already has this version: the page wrote it or has read it since.
  if (!isOver && isSource(newest, versionAfter) && hasText(newest)) return readIfRequested(newest);
  const { state: reading, effects } = read(newest);
  return { state: reading, effects: isOver ? [{ type: "end-typing" }, ...effects] : effects };
}

const isSource = ({ source }: FileState, version: string | undefined): boolean =>
  version !== undefined && version === source.version;

/** Whether the editor shows text based on the source. */
const hasText = ({ kind }: FileState): boolean =>
  kind === "saved" || kind === "edited" || kind === "problem";

function beginTyping(state: FileState, { id, asked }: WritingCall): FileStep {
  const next = enter(state, { kind: "written", call: id, asked });
  if (state.kind === "written" && state.call === id)
    return same(state.asked === asked ? state : next);
  return { state: next, effects: [notEditable, { type: "begin-typing", call: id }] };
}

/** Reads the file. Waits for a read or write in progress, which may return an older version than requested. */
function read(state: FileState): FileStep {
  if (state.isReading || state.kind === "saving" || state.kind === "closing")
    return same({ ...state, readAgain: true });
  return { state: { ...state, isReading: true, readAgain: false }, effects: [{ type: "read" }] };
}

const readIfRequested = (state: FileState, effects: readonly FileEffect[] = []): FileStep => {
  if (!state.readAgain || state.isReading || state.kind === "saving") return { state, effects };
  const next = read(state);
  return { state: next.state, effects: [...effects, ...next.effects] };
};

function edit(state: FileState): FileStep {
  const next = { ...state, edits: state.edits + 1 };
  switch (state.kind) {
    case "saved":
    case "edited":
    case "problem":
      return { state: enter(next, { kind: "edited" }), effects: [{ type: "start-timer" }] };
    case "saving":
    case "conflict":
      return same(next);
    default:
      // The editor is read-only, so the change did not come from the person.
      return same(state);
  }
}

function save(state: FileState): FileStep {
  if (state.kind === "edited" || state.kind === "problem") return startWrite(state);
  if (state.kind === "saving" && state.edits > state.edit) return same({ ...state, again: true });
  return same(state);
}

/** Starts writing the editor's text. A read in progress may still return the file without it. */
function startWrite(state: FileState): FileStep {
  const next = enter(state, { kind: "saving", edit: state.edits, again: false });
  return {
    state: { ...next, readAgain: state.readAgain || state.isReading },
    effects: [{ type: "stop-timer" }, { type: "write", source: state.source }],
  };
}

/** Makes the written text the base of the next edits. */
function endWrite(state: FileState, source: FileSource): FileStep {
  if (state.kind === "closing") {
    if (state.next === undefined) {
      const { state: closed, effects } = close(state);
      return { state: closed, effects: [...effects, { type: "forget" }] };
    }
    const text = state.next;
    return {
      state: { ...state, source, next: undefined },
      effects: [
        { type: "keep", text, source },
        { type: "write", source, text },
      ],
    };
  }
  if (state.kind !== "saving") return same(state);
  const written = { ...state, source };
  // The log reported this very write before its response arrived.
  const isOwn = isSource(written, state.versionAfter) && !state.isReading;
  const next = isOwn ? { ...written, readAgain: false } : written;
  if (state.edits === state.edit) return readIfRequested(enter(next, { kind: "saved" }));
  if (state.again) return startWrite(next);
  return readIfRequested(enter(next, { kind: "edited" }), [{ type: "start-timer" }]);
}

/**
 * Handles a write that was refused because someone else wrote first. There is no conflict if both wrote the same text.
 */
function meetRefusal(state: FileState, event: FileEvent & { type: "refused" }): FileStep {
  const { theirs, text } = event;
  if (theirs && isText(theirs, text)) return endWrite(state, sourceOf(theirs));
  if (state.kind === "closing") return close(state);
  if (state.kind !== "saving") return same(state);
  return readIfRequested(meet(state, theirs));
}

const isText = ({ text: theirs }: FileBody, text: string) =>
  theirs !== undefined && plainText(theirs) === plainText(text);

const sourceOf = ({ version, text }: FileBody): FileSource => ({ version, base: text });

const meet = (state: FileState, theirs: FileBody | undefined): FileState =>
  enter(state, { kind: "conflict", theirs, base: state.source.base, marked: false });

type ReadEvent = FileEvent & { type: "read" | "missing" | "read-failed" };

function endRead(state: FileState, event: ReadEvent): FileStep {
  if (!state.isReading) return same(state);
  const next = { ...state, isReading: false };
  // The answer may be older than a write or a change, so it is ignored.
  if (state.kind === "saving" || state.kind === "closing")
    return same({ ...next, readAgain: true });
  if (state.readAgain && state.kind !== "closed") return readIfRequested(next);
  if (event.type === "read") return takeBody(next, event.body, event.text);
  return event.type === "missing" ? takeMissing(next) : takeReadFailure(next, event.reason);
}

function takeBody(state: FileState, body: FileBody, text: string): FileStep {
  const isSame = body.version === state.source.version;
  switch (state.kind) {
    case "saved":
      return isSame ? same(state) : showBody(state, body);
    case "loading":
    case "gone":
    case "shown":
    case "unreadable":
      return showBody(state, body);
    case "written":
      return state.call === undefined ? showBody(state, body) : same(state);
    case "edited":
    case "problem":
      return isSame ? same(state) : meetBody(state, body, text);
    case "conflict":
      if (body.version === state.theirs?.version) return same(state);
      // The other writer reverted the change.
      if (isSame && !state.marked)
        return { state: enter(state, { kind: "edited" }), effects: [{ type: "start-timer" }] };
      return meetBody(withMergedSource(state), body, text);
    default:
      return same(state);
  }
}

/** Moves the base to the other text once the editor holds both between markers. */
function withMergedSource(state: FileState & { kind: "conflict" }): FileState {
  return state.marked && state.theirs ? { ...state, source: sourceOf(state.theirs) } : state;
}

function meetBody(state: FileState, body: FileBody, text: string): FileStep {
  const next = isText(body, text)
    ? enter({ ...state, source: sourceOf(body) }, { kind: "saved" })
    : meet(state, body);
  return { state: next, effects: [{ type: "stop-timer" }] };
}

function showBody(state: FileState, body: FileBody): FileStep {
  if (body.text === undefined)
    return { state: enter(state, { kind: "shown", body }), effects: [notEditable] };
  return {
    state: enter({ ...state, source: sourceOf(body) }, { kind: "saved" }),
    effects: [{ type: "show", text: plainText(body.text) }, editable],
  };
}

function takeMissing(state: FileState): FileStep {
  switch (state.kind) {
    case "edited":
    case "problem":
      // A new file that nobody has written yet.
      if (state.source.version === undefined) return same(state);
      return { state: meet(state, undefined), effects: [{ type: "stop-timer" }] };
    case "conflict":
      return same(meet(withMergedSource(state), undefined));
    case "written":
      return state.call === undefined ? leave(state) : same(state);
    case "closed":
      return same(state);
    default:
      return leave(state);
  }
}

const leave = (state: FileState): FileStep => ({
  state: enter(state, { kind: "gone" }),
  effects: [notEditable],
});

/** Handles a failed read. Any text that is shown stays; the file is read again at its next change in the log. */
function takeReadFailure(before: FileState, reason: string): FileStep {
  if (before.kind === "closed") return same(before);
  const state = { ...before, readAgain: true };
  const isNothingShown =
    state.kind === "loading" || (state.kind === "written" && state.call === undefined);
  if (!isNothingShown) return same(state);
  return { state: enter(state, { kind: "unreadable", reason }), effects: [notEditable] };
}

/**
 * Bases the next write on the other text, which the person has seen. A deleted file keeps the line endings of its last
 * text.
 */
function rebaseOnTheirs(state: FileState & { kind: "conflict" }): FileState {
  const { theirs, source } = state;
  return {
    ...state,
    source: { version: theirs?.version, base: theirs?.text ?? source.base },
  };
}

function takeTheirs(state: FileState): FileStep {
  if (state.kind !== "conflict") return same(state);
  return state.theirs ? showBody(state, state.theirs) : leave(state);
}

function takeMerged(state: FileState, event: FileEvent & { type: "merged" }): FileStep {
  if (state.kind !== "conflict" || state.theirs?.version !== event.version) return same(state);
  const show: FileEffect = { type: "show", text: event.text };
  if (event.marked) return { state: { ...state, marked: true }, effects: [show] };
  const { state: next, effects } = startWrite(rebaseOnTheirs(state));
  return { state: next, effects: [show, ...effects] };
}

/** Saves unsaved text, and stores it meanwhile so that nothing is lost if the save fails. */
function beginClose(state: FileState, text: string): FileStep {
  const { source } = state;
  const draftEffect: FileEffect = { type: "keep", text, source };
  switch (state.kind) {
    case "edited":
    case "problem": {
      const { effects } = startWrite(state);
      const write = effects.map((one) => (one.type === "write" ? { ...one, text } : one));
      return {
        state: enter(state, { kind: "closing", next: undefined }),
        effects: [draftEffect, ...write],
      };
    }
    case "saving": {
      const next = state.edits > state.edit ? text : undefined;
      return { state: enter(state, { kind: "closing", next }), effects: [draftEffect] };
    }
    case "conflict": {
      const { state: closed, effects } = close(state);
      return { state: closed, effects: [draftEffect, ...effects] };
    }
    case "closing":
    case "closed":
      return same(state);
    default:
      return close(state);
  }
}

function close(state: FileState): FileStep {
  const typed = state.kind === "written" && state.call !== undefined;
  return {
    state: enter({ ...state, readAgain: false }, { kind: "closed" }),
    effects: typed ? [{ type: "end-typing" }] : [],
  };
}
