import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { Edit } from "@treadle/dialects";
import type { TodoItem } from "@treadle/protocol";
import { formatSearchReplace } from "@treadle/dialects/search-replace";
import { formatTodo } from "../../context/todo/todo.ts";
import { prose } from "../../text/prose.ts";
import { resultOf } from "../text/result-of.ts";
import { formatRead, type ReadInput } from "./read-action.ts";

const GRAMMAR = prose(new URL("./grammar.md", import.meta.url));

type Assistant = LanguageModelV4Message & { role: "assistant" };
type Text = { type: "text"; text: string };

/** The conversation in this dialect: calls as tags, and their results as messages of the user. */
export function callsToArtifacts(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  let taught = false;
  const turned = prompt.map((message): LanguageModelV4Message => {
    switch (message.role) {
      case "system": {
        if (taught) return message;
        taught = true;
        return { ...message, content: `${message.content}\n\n${GRAMMAR}` };
      }
      case "assistant":
        return turnAssistant(message);
      case "tool": {
        const results = message.content
          .filter((part): part is LanguageModelV4ToolResultPart => part.type === "tool-result")
          .map((part) => `${part.toolName}: ${resultOf(part).text}`);
        const { role: _role, content: _content, ...options } = message;
        return {
          ...options,
          role: "user",
          content: [{ type: "text", text: `Results of your actions:\n${results.join("\n")}` }],
        };
      }
      default:
        return message;
    }
  });
  return taught ? turned : [{ role: "system", content: GRAMMAR }, ...turned];
}

function turnAssistant(message: Assistant): Assistant {
  const content: Text[] = [];
  let artifact: string | undefined;
  const pushText = (text: string) => content.push({ type: "text", text });
  const close = () => {
    if (artifact !== undefined) pushText("</boltArtifact>");
    artifact = undefined;
  };
  for (const part of message.content) {
    if (part.type === "text") {
      close();
      pushText(part.text);
    } else if (part.type === "tool-call") {
      const { group = "", id = "work", title = "Work" } = optionsOf(part);
      if (artifact !== group) {
        close();
        artifact = group;
        pushText(`<boltArtifact id="${attribute(id)}" title="${attribute(title)}">`);
      }
      pushText(actionText(part));
    }
    // Reasoning is left out: models of this dialect do not receive it back.
  }
  close();
  const text = content.map((part) => part.text).join("\n");
  return { ...message, content: text === "" ? [] : [{ type: "text", text }] };
}

function actionText({ toolName, input, providerOptions }: LanguageModelV4ToolCallPart): string {
  const {
    path,
    content,
    command,
    name,
    items,
    edits,
    done,
    try: how,
  } = (input ?? {}) as Record<string, unknown>;
  if (toolName === "write_file" && typeof path === "string") {
    // Without content, the tag would describe a file that was emptied; this one was cut off.
    if (typeof content !== "string") return `(${path} was begun here, and not written.)`;
    return `<boltAction type="file" filePath="${attribute(path)}">\n${content}\n</boltAction>`;
  }
  if (toolName === "start_server")
    return `<boltAction type="start">${String(command ?? "")}</boltAction>`;
  if (toolName === "run_command") {
    const type = providerOptions?.["treadle"]?.["actionType"] === "build" ? "build" : "shell";
    return `<boltAction type="${type}">${String(command ?? "")}</boltAction>`;
  }
  if (toolName === "use_skill")
    return `<boltAction type="skill">${String(name ?? "")}</boltAction>`;
  if (toolName === "read_file" && typeof path === "string")
    return `<boltAction type="read">${formatRead(input as ReadInput)}</boltAction>`;
  if (toolName === "outline")
    return `<boltAction type="outline">${String(path ?? "")}</boltAction>`;
  if (toolName === "todo" && Array.isArray(items))
    return `<boltAction type="todo">\n${formatTodo(items as TodoItem[])}\n</boltAction>`;
  if (toolName === "finish")
    return `<boltAction type="finish">${[done, how].filter(Boolean).join(" ")}</boltAction>`;
  if (toolName === "edit_file" && typeof path === "string" && isEdits(edits))
    return `${path}\n\`\`\`\n${formatSearchReplace(edits)}\`\`\``;
  // A call of another dialect, from before the dialect was changed.
  return `(${toolName} ${JSON.stringify(input)})`;
}

const isEdits = (value: unknown): value is Edit[] =>
  Array.isArray(value) &&
  value.every((edit: Partial<Edit>) => typeof edit?.old === "string" && typeof edit.new === "string" && !edit.all); // prettier-ignore

function optionsOf({ providerOptions }: LanguageModelV4ToolCallPart): {
  group?: string;
  id?: string;
  title?: string;
} {
  const { group, id, title } = providerOptions?.["treadle"] ?? {};
  return {
    group: typeof group === "string" ? group : undefined,
    id: typeof id === "string" ? id : undefined,
    title: typeof title === "string" ? title : undefined,
  };
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
