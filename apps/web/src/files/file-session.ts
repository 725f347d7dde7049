import type { FileBody, ProjectPath } from "@treadle/protocol";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import { inFormOf, plainText } from "@treadle/dialects/text-form";
import { holdsWholeFile } from "@treadle/protocol/tools";
import { FileConflict, readFile, writeFile } from "../api/files.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { isUnfinished } from "../fold/select.ts";
import type { CallItem, ProjectView } from "../fold/types.ts";
import {
  forgetUnsaved,
  storeUnsaved,
  savedClosed,
  savesClosed,
  takeUnsaved,
  type Unsaved,
} from "../project/unsaved.ts";
import {
  hasUnsaved,
  NEW_FILE_SESSION,
  transition,
  type FileEffect,
  type FileSource,
  type FileState,
} from "./file-transitions.ts";
import { ModelTyping } from "./model-typing.ts";
import type { WatchedEditor } from "./watched-editor.ts";

/** The state of a file, as shown on the page. */
export type FileStatus =
  | { state: "loading" | "saved" | "edited" | "saving" | "gone" }
  /**
   * The model is writing the file. `asked`: the file does not exist yet, because the person has to approve it first.
   */
  | { state: "written"; asked?: true }
  /** `base`: the common ancestor, if known; `marked`: the editor holds both texts between git's conflict markers. */
  | { state: "conflict"; theirs: FileBody | undefined; base?: string; marked?: true }
  /** A file that no editor can hold, such as a picture. */
  | { state: "shown"; body: FileBody }
  | { state: "unreadable"; reason: string }
  | { state: "problem"; reason: string };

/** The parts of an editor that a session uses. */
export type SessionEditor = Omit<WatchedEditor, "view" | "reveal" | "share">;

/** Delay between the last key and the save, in milliseconds. */
const SAVE_AFTER_MS = 1000;

/**
 * One open file. Connects the editor, the disk and what the model writes: `file-transitions.ts` decides what happens,
 * and this class carries it out. The editor uses line feeds and no byte-order mark; the file keeps its own.
 */
export class FileSession {
  readonly #project: string;
  readonly #path: ProjectPath;
  readonly #editor: SessionEditor;
  readonly #onStatus: (status: FileStatus) => void;
  readonly #typing: ModelTyping;
  readonly #lifecycle = createLifecycle(
    NEW_FILE_SESSION,
    transition,
    (effect: FileEffect) => this.#perform(effect),
    (state) => this.#onStep(state),
  );
  #status: FileStatus | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stored: Unsaved | undefined;
  /** The latest view of the log, once the session is open. */
  #view: ProjectView | undefined;
  #isOpen = false;
  readonly #waiting: { isReached(state: FileState): boolean; resolve(): void }[] = [];

  constructor(options: {
    project: string;
    path: ProjectPath;
    editor: SessionEditor;
    onStatus: (status: FileStatus) => void;
  }) {
    this.#project = options.project;
    this.#path = options.path;
    this.#editor = options.editor;
    this.#onStatus = options.onStatus;
    this.#typing = new ModelTyping(options.editor);
  }

  /** Reads the file, or restores text that was unsaved when the file was closed. Resolves once either is shown. */
  async open(view: ProjectView): Promise<void> {
    this.#view = view;
    await savedClosed(this.#project, this.#path);
    if (this.#lifecycle.state.kind === "closed") return;
    this.#isOpen = true;
    this.#lifecycle.send({
      type: "open",
      ...this.#logged(this.#view),
      unsaved: takeUnsaved(this.#project, this.#path),
    });
    this.#followCall();
    await this.#until(({ kind }) => kind !== "loading");
    await this.#written();
  }

  /** Applies what the log reports about this file: the model is writing it, or someone else changed it. */
  follow(view: ProjectView): void {
    this.#view = view;
    if (!this.#isOpen) return;
    this.#lifecycle.send({ type: "log", ...this.#logged(view) });
    this.#followCall();
  }

  /** Call after each change by the person. */
  edited(): void {
    this.#lifecycle.send({ type: "edited" });
  }

  /** Whether the editor holds text that is not on the disk. */
  hasUnsaved(): boolean {
    return hasUnsaved(this.#lifecycle.state);
  }

  /** Resolves once everything typed so far has been saved, or the save has failed. */
  async save(): Promise<void> {
    this.#lifecycle.send({ type: "save" });
    await this.#written();
  }

  /** Resolves a conflict by writing the person's text over the file on the disk. */
  async keepOwn(): Promise<void> {
    this.#lifecycle.send({ type: "keep-mine" });
    await this.#written();
  }

  /** Resolves a conflict by merging both texts. Leaves the conflict to the person if both changed the same lines. */
  async merge(): Promise<void> {
    const { mergeTexts } = await import("./merge-texts.ts");
    const { state } = this.#lifecycle;
    if (state.kind !== "conflict" || state.theirs?.text === undefined || state.base === undefined)
      return;
    const { text, marked } = mergeTexts({
      ours: this.#editor.text(),
      base: plainText(state.base),
      theirs: plainText(state.theirs.text),
    });
    this.#lifecycle.send({ type: "merged", version: state.theirs.version, text, marked });
    await this.#written();
  }

  /** Resolves a conflict by showing the file on the disk and discarding the person's text. */
  takeTheirs(): void {
    this.#lifecycle.send({ type: "take-theirs" });
  }

  /**
   * Saves unsaved text; text that cannot be saved is stored for the next time the file is opened. The editor may close
   * afterwards.
   */
  close(): void {
    this.#lifecycle.send({ type: "close", text: this.#editor.text() });
    this.#typing.stop();
    if (this.#lifecycle.state.kind === "closing")
      savesClosed(this.#project, this.#path, this.#written());
  }

  #perform(effect: FileEffect): void {
    switch (effect.type) {
      case "read":
        return void this.#read();
      case "write":
        return void this.#write(effect.source, effect.text ?? this.#editor.text());
      case "start-timer":
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#lifecycle.send({ type: "paused" }), SAVE_AFTER_MS);
        return;
      case "stop-timer":
        return clearTimeout(this.#timer);
      case "show":
        return this.#editor.show(effect.text);
      case "set-read-only":
        return this.#editor.setReadOnly(effect.value);
      case "begin-typing":
        this.#typing.restart();
        return this.#editor.beginTyping();
      case "end-typing":
        return this.#typing.stop();
      case "keep":
        this.#stored = { text: effect.text, source: effect.source };
        return storeUnsaved(this.#project, this.#path, this.#stored);
      case "forget":
        if (this.#stored) forgetUnsaved(this.#project, this.#path, this.#stored);
    }
  }

  async #read(): Promise<void> {
    let body: FileBody;
    try {
      body = await readFile(this.#project, this.#path);
    } catch (error) {
      const isMissing = error instanceof ApiFailure && error.status === 404;
      this.#lifecycle.send(
        isMissing ? { type: "missing" } : { type: "read-failed", reason: sentence(error) },
      );
      return;
    }
    this.#lifecycle.send({ type: "read", body, text: this.#editor.text() });
  }

  async #write({ version, base }: FileSource, text: string): Promise<void> {
    const content = base === undefined ? text : inFormOf(base, text);
    let written: string;
    try {
      written = await writeFile(this.#project, this.#path, content, version);
    } catch (error) {
      this.#lifecycle.send(
        error instanceof FileConflict
          ? { type: "refused", theirs: error.theirs, text }
          : { type: "write-failed", reason: sentence(error) },
      );
      return;
    }
    this.#lifecycle.send({ type: "written", version: written, base: content });
  }

  #onStep(state: FileState): void {
    const status = statusOf(state);
    if (status && !(this.#status && isSame(this.#status, status))) {
      this.#status = status;
      this.#onStatus(status);
    }
    const waiting = this.#waiting.splice(0);
    for (const one of waiting)
      if (one.isReached(state)) one.resolve();
      else this.#waiting.push(one);
  }

  /** Resolves when no write is in progress. */
  #written(): Promise<void> {
    return this.#until(({ kind }) => kind !== "saving" && kind !== "closing");
  }

  async #until(isReached: (state: FileState) => boolean): Promise<void> {
    if (isReached(this.#lifecycle.state)) return;
    await new Promise<void>((resolve) => this.#waiting.push({ isReached, resolve }));
  }

  #logged(view: ProjectView) {
    const { seq: change = 0, version: versionAfter } = view.changes.get(this.#path) ?? {};
    const call = this.#writingCall(view);
    const asked = view.question?.question.call === call?.call;
    return { change, versionAfter, call: call && { id: call.call, asked } };
  }

  /** Types what the model has written so far, if the editor shows the model's text. */
  #followCall(): void {
    const { state } = this.#lifecycle;
    if (state.kind !== "written" || !this.#view) return;
    const call = this.#writingCall(this.#view);
    if (call && call.call === state.call) this.#typing.follow(call.fields.get("content"));
  }

  #writingCall(view: ProjectView): CallItem | undefined {
    const turn = view.open === undefined ? undefined : view.turns[view.open];
    const item = turn?.items.findLast((one) => one.kind === "call" && one.path === this.#path);
    if (item?.kind !== "call" || !holdsWholeFile(item.tool)) return undefined;
    return isUnfinished(item) ? item : undefined;
  }
}

/** The status that the page shows for a state; undefined for a closed session. */
function statusOf(state: FileState): FileStatus | undefined {
  switch (state.kind) {
    case "closing":
    case "closed":
      return undefined;
    case "saving":
      return { state: state.edits > state.edit ? "edited" : "saving" };
    case "written":
      return { state: "written", ...(state.asked && { asked: true }) };
    case "conflict": {
      const { theirs, base, marked } = state;
      if (marked) return { state: "conflict", theirs, marked };
      return { state: "conflict", theirs, ...(base !== undefined && { base }) };
    }
    case "shown":
      return { state: "shown", body: state.body };
    case "problem":
    case "unreadable":
      return { state: state.kind, reason: state.reason };
    default:
      return { state: state.kind };
  }
}

function isSame(one: FileStatus, other: FileStatus): boolean {
  const all: Record<string, unknown> = { ...other };
  const names = Object.keys(one);
  return (
    names.length === Object.keys(all).length &&
    Object.entries(one).every(([name, value]) => all[name] === value)
  );
}
