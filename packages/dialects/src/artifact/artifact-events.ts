import { isLeftOut, LEFT_OUT } from "../prose/example.ts";
import { createContent } from "../text/content.ts";
import { type ActionOpen, readActionHead } from "./open-action.ts";
import type { ArtifactErrorCode, ArtifactEvent, ArtifactLimits, Found } from "./types.ts";

type Attributes = ReadonlyMap<string, string>;

/** Turns the parser's findings into balanced events, and tracks what is open. */
export interface ArtifactEvents {
  /** 0 outside of artifacts, 1 in an implied one, 2 in a written one. */
  depth: 0 | 1 | 2;
  emit(event: ArtifactEvent): void;
  error(code: ArtifactErrorCode, message: string, action?: number): void;
  tagTooLong(limit: number): void;
  text(text: string): void;
  openArtifact(attributes: Attributes): void;
  closeArtifact(complete: boolean): void;
  openAction(attributes: Attributes): void;
  /** Opens a file whose path needs no check, or the content of a code fence. */
  openFile(filePath: string | undefined, actionType: string, found?: Found): void;
  /**
   * Whether a tag opens the current action again before it has any content; the content then begins
   * there.
   */
  opensAgain(attributes: Attributes): boolean;
  /** Whether the open action's content is that of a file, or a change of one. */
  isFile: boolean;
  /** Whether the action has only white space as content yet. */
  isBlank(): boolean;
  /** Adds content to the action. */
  write(text: string): void;
  /** @param isImplied whether its end was not written */
  closeAction(complete: boolean, isImplied?: boolean): void;
}

export function createArtifactEvents(
  emit: (event: ArtifactEvent) => void,
  { contentCharacters }: ArtifactLimits,
): ArtifactEvents {
  let artifact = -1;
  let action = -1;
  let head: ActionOpen;
  /** Whether the action's head forbids running it. */
  let refused: boolean | undefined;
  /** A command, or a file's content, in an attribute of the opening tag. */
  let command: string | undefined;
  /** White space after an action of an implied artifact: text, unless another action follows. */
  let gap = "";
  const content = createContent(contentCharacters, (text) =>
    emit({ type: "action-delta", action, text }),
  );

  const tooLong = (code: ArtifactErrorCode, what: string, limit: number, about?: number) =>
    events.error(code, `${what} is over ${limit} characters.`, about);

  const open = (depth: 1 | 2, id = "", title = "", artifactType?: string) => {
    events.depth = depth;
    emit({ type: "artifact-open", artifact: ++artifact, id, title, artifactType });
  };

  const begin = () => {
    gap = "";
    if (events.depth === 0) open(1);
    action++;
  };

  const openContent = () => {
    events.isFile = head.actionType === "file" || head.actionType === "edit" || head.operation === "migration"; // prettier-ignore
    content.open(events.isFile ? "file" : "text");
  };

  const openAs = (opened: ActionOpen, refuses?: boolean) => {
    head = opened;
    command = undefined;
    refused = refuses;
    openContent();
    emit({ ...opened });
  };

  const events: ArtifactEvents = {
    depth: 0,
    emit,
    error(code, message, about) {
      const inside = events.depth > 0 ? artifact : undefined;
      emit({ type: "error", code, message, artifact: inside, action: about });
    },
    tagTooLong: (limit) => tooLong("tag-too-long", "A tag", limit),
    text(text) {
      // Text between the actions of an artifact is dropped, as in the reference.
      if (text === "" || events.depth === 2) return;
      if (events.depth === 1) {
        if (text.trim() === "") {
          gap += text;
          return;
        }
        events.closeArtifact(true);
      }
      emit({ type: "text", text });
    },
    openArtifact(attributes) {
      const implied = events.depth < 2;
      if (!implied) events.error("artifact-not-closed", "An artifact was not closed.");
      events.closeArtifact(implied);
      open(2, attributes.get("id"), attributes.get("title"), attributes.get("type"));
    },
    closeArtifact(complete) {
      if (events.depth === 0) return;
      events.depth = 0;
      emit({ type: "artifact-close", artifact, complete });
      const text = gap;
      gap = "";
      events.text(text);
    },
    openAction(attributes) {
      begin();
      const [opened, problem] = readActionHead(attributes, artifact, action);
      openAs(opened, problem?.refuses);
      command = attributes.get(events.isFile ? "content" : "command");
      if (problem) events.error(problem.code, problem.message, action);
    },
    openFile(filePath, actionType, found) {
      begin();
      openAs({ type: "action-open", artifact, action, actionType, filePath, found });
    },
    opensAgain(attributes) {
      if (refused || !content.isBlank()) return false;
      const [opened] = readActionHead(attributes, artifact, action);
      if (JSON.stringify(opened) !== JSON.stringify(head)) return false;
      openContent();
      return true;
    },
    isFile: false,
    isBlank: content.isBlank,
    write: content.write,
    closeAction(complete, isImplied) {
      if (command !== undefined && content.isBlank()) content.write(command);
      const overflowed = content.overflowed();
      const body = content.close(complete && !overflowed);
      const isShown = !overflowed && complete && isLeftOut(body);
      if (overflowed) tooLong("content-too-long", "An action", contentCharacters, action);
      else if (isShown) events.error("placeholder", LEFT_OUT, action);
      // The spread comes first: an object literal with a property before a spread is slow.
      const event: ArtifactEvent = {
        ...head,
        type: "action-close",
        content: body,
        complete: complete && !overflowed && !isShown && !refused,
      };
      if (isImplied) event.endImplied = true;
      emit(event);
    },
  };
  return events;
}
