import type { FileBody, ProjectPath } from "@treadle/protocol";
import { holdsWholeFile } from "@treadle/protocol/tools";
import { FileConflict, readFile, writeFile } from "../api/files.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { textSince } from "../fold/gathered.ts";
import { goesOn } from "../fold/select.ts";
import type { CallItem, ProjectView } from "../fold/types.ts";
import type { WatchedEditor } from "./watched-editor.ts";
import { keepUnsaved, takeUnsaved } from "../project/unsaved.ts";

export type FileStatus =
  | { state: "loading" }
  | { state: "saved" }
  | { state: "edited" }
  | { state: "saving" }
  /** The model types it just now; `asked`: it is not there yet, the person is asked about it. */
  | { state: "written"; asked?: true }
  /** `base`: what both were made of, where that is known; `marked`: both stand in the editor, between git's marks. */
  | { state: "conflict"; theirs: FileBody | undefined; base?: string; marked?: true }
  /** It is not there any more, and nothing was typed that would be lost with it. */
  | { state: "gone" }
  /** No text that an editor could hold: it is shown as what it is. */
  | { state: "shown"; body: FileBody }
  | { state: "unreadable"; reason: string }
  | { state: "problem"; reason: string };

/** What a session needs of an editor. */
export type SessionEditor = Omit<WatchedEditor, "view" | "reveal">;

/** An edit is saved this long after the last key, in milliseconds. */
const SAVE_AFTER_MS = 1000;

/**
 * One open file: what the editor shows, what is on disk, and what the model types meet here. The person's text is
 * never replaced: where another hand was first, both are kept and the person decides.
 */
export class FileSession {
  readonly #project: string;
  readonly #path: ProjectPath;
  readonly #editor: SessionEditor;
  readonly #tell: (status: FileStatus) => void;
  #status: FileStatus = { state: "loading" };
  #version: string | undefined;
  /** The text of that version. */
  #base: string | undefined;
  #dirty = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | undefined;
  #typing:
    | { call: string; shown: number; last: number; later?: ReturnType<typeof setTimeout> }
    | undefined;
  #seenChange = 0;
  #closed = false;

  constructor(options: {
    project: string;
    path: ProjectPath;
    editor: SessionEditor;
    tell: (status: FileStatus) => void;
  }) {
    this.#project = options.project;
    this.#path = options.path;
    this.#editor = options.editor;
    this.#tell = options.tell;
  }

  /** Reads the file, or takes up a text that was not saved when it was closed. */
  async open(view: ProjectView): Promise<void> {
    this.#seenChange = view.changes.get(this.#path)?.seq ?? 0;
    const unsaved = takeUnsaved(this.#project, this.#path);
    if (unsaved) {
      this.#version = unsaved.version;
      this.#base = unsaved.base;
      this.#editor.show(unsaved.text);
      this.#editor.setReadOnly(false);
      this.#dirty = true;
      await this.save();
      return;
    }
    this.follow(view);
    if (!this.#typing) await this.#load();
  }

  /** Takes in what the log says of this file: the model typing it, another hand having changed it. */
  follow(view: ProjectView): void {
    const call = this.#typingCall(view);
    if (call && !this.#dirty) {
      this.#type(call);
      const asked = view.question?.question.call === call.call;
      if (this.#status.state === "written" && (this.#status.asked ?? false) !== asked)
        this.#set({ state: "written", asked: asked || undefined });
      return;
    }
    const change = view.changes.get(this.#path)?.seq ?? 0;
    const over = this.#typing !== undefined;
    clearTimeout(this.#typing?.later);
    this.#typing = undefined;
    if (!over && change <= this.#seenChange) return;
    this.#seenChange = change;
    void this.#load();
  }

  edited(): void {
    this.#dirty = true;
    if (this.#status.state === "conflict") return;
    this.#set({ state: "edited" });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  /** Resolves when what was there to save is saved, or said not to be. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#saving) await this.#saving;
    if (!this.#dirty || this.#status.state === "conflict") return;
    this.#saving = this.#write();
    await this.#saving;
  }

  async #write(): Promise<void> {
    const text = this.#editor.text();
    this.#set({ state: "saving" });
    try {
      this.#version = await writeFile(this.#project, this.#path, text, this.#version);
      this.#base = text;
      this.#dirty = !this.#closed && this.#editor.text() !== text;
      this.#set({ state: this.#dirty ? "edited" : "saved" });
      if (this.#dirty) this.edited();
    } catch (error) {
      if (error instanceof FileConflict) this.#meet(error.theirs, text);
      else this.#set({ state: "problem", reason: sentence(error) });
      if (this.#closed) this.#keep(text);
    } finally {
      this.#saving = undefined;
    }
  }

  /** Ends a conflict: writes the person's text over what is on disk now. */
  async keepMine(): Promise<void> {
    if (this.#status.state !== "conflict") return;
    this.#version = this.#status.theirs?.version;
    this.#set({ state: "edited" });
    this.#dirty = true;
    await this.save();
  }

  /** Ends a conflict with both texts in one, or leaves it to the person where both changed the same lines. */
  async merge(): Promise<void> {
    const { mergeTexts } = await import("./merge-texts.ts");
    if (this.#status.state !== "conflict") return;
    const { theirs, base } = this.#status;
    if (theirs?.text === undefined || base === undefined) return;
    const { text, marked } = mergeTexts({ mine: this.#editor.text(), base, theirs: theirs.text });
    this.#editor.show(text);
    if (marked) this.#set({ state: "conflict", theirs, marked });
    else await this.keepMine();
  }

  /** Ends a conflict: shows what is on disk; the person's text can be had back with undo. */
  takeTheirs(): void {
    if (this.#status.state !== "conflict") return;
    const { theirs } = this.#status;
    this.#dirty = false;
    this.#version = theirs?.version;
    this.#base = theirs?.text;
    this.#editor.show(theirs?.text ?? "");
    this.#set({ state: "saved" });
  }

  /** Saves what is not saved; what cannot be is kept for when the file is opened again. */
  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#typing?.later);
    this.#closed = true;
    if (!this.#dirty) return;
    const text = this.#editor.text();
    if (this.#status.state === "conflict") this.#keep(text);
    else void this.save();
  }

  #keep(text: string): void {
    keepUnsaved(this.#project, this.#path, { text, version: this.#version, base: this.#base });
  }

  #typingCall(view: ProjectView): CallItem | undefined {
    const turn = view.open === undefined ? undefined : view.turns[view.open];
    const item = turn?.items.findLast((one) => one.kind === "call" && one.path === this.#path);
    if (item?.kind !== "call" || !holdsWholeFile(item.tool)) return undefined;
    return goesOn(item) ? item : undefined;
  }

  #type(call: CallItem): void {
    const content = call.fields.get("content");
    if (this.#typing?.call !== call.call) {
      this.#typing = { call: call.call, shown: 0, last: 0 };
      this.#editor.setReadOnly(true);
      this.#editor.beginTyping();
      this.#set({ state: "written" });
    }
    if (!content || content.length <= this.#typing.shown) return;
    clearTimeout(this.#typing.later);
    const due =
      this.#typing.last +
      this.#editor.pace(content.length, content.length - this.#typing.shown) -
      performance.now();
    if (due > 0) {
      this.#typing.later = setTimeout(() => this.#type(call), due);
      return;
    }
    this.#typing.last = performance.now();
    this.#editor.type(textSince(content, this.#typing.shown));
    this.#typing.shown = content.length;
  }

  async #load(): Promise<void> {
    let body: FileBody;
    try {
      body = await readFile(this.#project, this.#path);
    } catch (error) {
      if (this.#closed || this.#typing) return;
      const gone = error instanceof ApiFailure && error.status === 404;
      if (gone && this.#dirty) return this.#meet(undefined, this.#editor.text());
      return this.#set(gone ? { state: "gone" } : { state: "unreadable", reason: sentence(error) });
    }
    if (this.#closed || this.#typing || this.#saving) return;
    if (body.text === undefined) return this.#set({ state: "shown", body });
    if (body.version === this.#version) {
      if (this.#status.state === "loading" || this.#status.state === "written") this.#ready(body);
      return;
    }
    if (this.#dirty) return this.#meet(body, this.#editor.text());
    this.#ready(body);
  }

  #ready(body: FileBody): void {
    this.#version = body.version;
    this.#base = body.text;
    this.#editor.show(body.text ?? "");
    this.#editor.setReadOnly(false);
    this.#set({ state: "saved" });
  }

  /** Another hand was first. Where both wrote the same there is nothing to decide. */
  #meet(theirs: FileBody | undefined, mine: string): void {
    if (theirs && theirs.text === mine) {
      this.#version = theirs.version;
      this.#base = mine;
      this.#dirty = false;
      this.#set({ state: "saved" });
    } else this.#set({ state: "conflict", theirs, base: this.#base });
  }

  #set(status: FileStatus): void {
    // With every key.
    if (status.state === "edited" && this.#status.state === "edited") return;
    this.#status = status;
    if (!this.#closed) this.#tell(status);
  }
}
