import { useState } from "react";
import { completeArgument, fillPrompt } from "../api/mcp.ts";
import { Button } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { words } from "../words/words.ts";
import { ArgumentField } from "./argument-field.tsx";
import type { OfferedPrompt } from "./use-offers.ts";

/** A picture in a prompt, as a file like one selected from this computer. */
function pictureFile({ mediaType, data }: { mediaType: string; data: string }): File {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new File([bytes], `prompt.${mediaType.slice(mediaType.indexOf("/") + 1)}`, {
    type: mediaType,
  });
}

/** Asks for a prompt's arguments, and passes on the server's result. */
export default function PromptForm({
  project,
  prompt,
  onDone,
  onCancel,
}: {
  project: string;
  prompt: OfferedPrompt;
  onDone: (message: string, pictures: File[]) => void;
  onCancel: () => void;
}) {
  const [values, setValues] = useState<Record<string, string>>({});
  const { act, busy, problem } = useAct();
  const missing = prompt.arguments.some(
    ({ name, required }) => required && (values[name] ?? "").trim() === "",
  );
  const fill = () =>
    act(async () => {
      const filledValues = Object.fromEntries(
        Object.entries(values).filter(([, value]) => value.trim() !== ""),
      );
      const { message, pictures } = await fillPrompt(
        project,
        prompt.server,
        prompt.name,
        filledValues,
      );
      onDone(message, pictures.map(pictureFile));
    });
  return (
    <form
      aria-label={words.mcp.promptOf({ prompt: prompt.name, server: prompt.server })}
      className="border-b border-line px-3 pt-2 pb-3"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
        event.stopPropagation();
        onCancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing && !busy) void fill();
      }}
    >
      <p>
        <span className="font-mono text-small">
          /{visible(prompt.server)}:{visible(prompt.name)}
        </span>{" "}
        <span className="text-small break-words text-quiet">
          {visible(prompt.description ?? "")}
        </span>
      </p>
      <div className="-mx-1 mt-1 max-h-[30vh] space-y-2 overflow-y-auto px-1 pb-1">
        {prompt.arguments.map(({ name, description, required }, index) => (
          <ArgumentField
            key={name}
            label={required ? words.mcp.required({ name: visible(name) }) : visible(name)}
            note={description && visible(description)}
            autoFocus={index === 0}
            aria-required={required}
            value={values[name] ?? ""}
            onText={(text) => setValues({ ...values, [name]: text })}
            complete={
              prompt.completes
                ? (value) =>
                    completeArgument(project, prompt.server, {
                      prompt: prompt.name,
                      argument: { name, value },
                      values,
                    })
                : undefined
            }
          />
        ))}
      </div>
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button type="submit" disabled={busy || missing} autoFocus={prompt.arguments.length === 0}>
          {words.mcp.putIn}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {words.mcp.cancel}
        </Button>
        <span role="status" className="text-small text-quiet">
          {busy ? words.mcp.asking({ server: visible(prompt.server) }) : words.mcp.seenFirst}
        </span>
      </div>
    </form>
  );
}
