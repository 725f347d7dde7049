import { isLeftOut } from "../prose/example.ts";
import { Content } from "../text/content.ts";
import { type ActionOpen, readActionHead } from "./open-action.ts";
import type { ArtifactErrorCode, ArtifactEvent, ArtifactLimits } from "./types.ts";

/** Turns what the parser finds into events that balance, and keeps what is open. */
export class ArtifactEvents {
  /** 0 outside of artifacts, 1 in one that is only implied, 2 in one that was written. */
  depth: 0 | 1 | 2 = 0;
  #artifact = -1;
  #action = -1;
  #head: ActionOpen | undefined;
  /** What the action's head lacks: it must not be run. */
  #refused = false;
  /** A command that stands in the opening tag. */
  #command: string | undefined;
  /** White space behind an action of an implied artifact: text, unless another action follows. */
  #gap = "";
  readonly #content: Content;
  readonly #limit: number;
  readonly emit: (event: ArtifactEvent) => void;

  constructor(emit: (event: ArtifactEvent) => void, { contentCharacters }: ArtifactLimits) {
    this.emit = emit;
    this.#limit = contentCharacters;
    this.#content = new Content(contentCharacters, (text) =>
      emit({ type: "action-delta", action: this.#action, text }),
    );
  }

  get isFile(): boolean {
    return this.#head?.actionType === "file" || this.#head?.operation === "migration";
  }

  text(text: string): void {
    // What stands between the actions of an artifact is nobody's, as in the reference.
    if (text === "" || this.depth === 2) return;
    if (this.depth === 1) {
      if (text.trim() === "") {
        this.#gap += text;
        return;
      }
      this.closeArtifact(true);
    }
    this.emit({ type: "text", text });
  }

  openArtifact(attributes: ReadonlyMap<string, string>): void {
    const implied = this.depth < 2;
    if (!implied) this.error("artifact-not-closed", "An artifact began inside another one.");
    this.closeArtifact(implied);
    this.#open(2, attributes.get("id"), attributes.get("title"), attributes.get("type"));
  }

  closeArtifact(complete: boolean): void {
    if (this.depth === 0) return;
    this.depth = 0;
    this.emit({ type: "artifact-close", artifact: this.#artifact, complete });
    const gap = this.#gap;
    this.#gap = "";
    this.text(gap);
  }

  openAction(attributes: ReadonlyMap<string, string>): void {
    this.#begin();
    const { head, problem } = readActionHead(attributes, this.#artifact, this.#action);
    this.#openAs(head, problem?.refuses);
    if (!this.isFile) this.#command = attributes.get("command");
    if (problem) this.error(problem.code, problem.message, this.#action);
  }

  /** Whether a tag opens the action once more that is open, before it has any content; then that begins there. */
  opensAgain(attributes: ReadonlyMap<string, string>): boolean {
    if (this.#refused || !this.#content.isBlank) return false;
    const { head } = readActionHead(attributes, this.#artifact, this.#action);
    if (JSON.stringify(head) !== JSON.stringify(this.#head)) return false;
    this.#content.open(this.isFile ? "file" : "text");
    return true;
  }

  /** A file by a path that needs no check. */
  openFile(filePath: string): void {
    this.#begin();
    const [artifact, action] = [this.#artifact, this.#action];
    this.#openAs({ type: "action-open", artifact, action, actionType: "file", filePath });
  }

  #openAs(head: ActionOpen, refused = false): void {
    this.#head = head;
    this.#command = undefined;
    this.#refused = refused;
    this.#content.open(this.isFile ? "file" : "text");
    this.emit({ ...head });
  }

  #begin(): void {
    this.#gap = "";
    if (this.depth === 0) this.#open(1);
    this.#action++;
  }

  write(text: string): void {
    this.#content.write(text);
  }

  /** @param isImplied its end was not written. */
  closeAction(complete: boolean, isImplied = false): void {
    const head = this.#head!;
    if (this.#command !== undefined && this.#content.isBlank) this.write(this.#command);
    const { overflowed } = this.#content;
    const content = this.#content.close(complete && !overflowed);
    const refuse = (code: ArtifactErrorCode, message: string) => {
      complete = false;
      this.error(code, message, head.action);
    };
    if (overflowed) refuse("content-too-long", `An action is over ${this.#limit} characters.`);
    else if (complete && isLeftOut(content))
      refuse("placeholder", "It says only “…”. Write it whole.");
    if (this.#refused) complete = false;
    // Copied first: with another property before it, a copy is slow.
    const event: ArtifactEvent = { ...head, type: "action-close", content, complete };
    if (isImplied) event.endImplied = true;
    this.emit(event);
  }

  tagTooLong(limit: number): void {
    this.error("tag-too-long", `A tag is over ${limit} characters.`);
  }

  error(code: ArtifactErrorCode, message: string, action?: number): void {
    this.emit({
      type: "error",
      code,
      message,
      artifact: this.depth > 0 ? this.#artifact : undefined,
      action,
    });
  }

  #open(depth: 1 | 2, id = "", title = "", artifactType?: string): void {
    this.depth = depth;
    this.emit({
      type: "artifact-open",
      artifact: ++this.#artifact,
      id,
      title,
      artifactType,
    });
  }
}
