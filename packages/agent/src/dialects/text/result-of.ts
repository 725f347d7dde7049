import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";

/** The tool result as text, and whether the call succeeded. */
export function resultOf({ output }: LanguageModelV4ToolResultPart): { ok: boolean; text: string } {
  switch (output.type) {
    case "text":
      return { ok: true, text: output.value };
    case "error-text":
      return { ok: false, text: output.value };
    case "json":
      return { ok: true, text: JSON.stringify(output.value) };
    case "error-json":
      return { ok: false, text: JSON.stringify(output.value) };
    case "execution-denied":
      return { ok: false, text: `denied${output.reason ? `: ${output.reason}` : ""}` };
    case "content":
      return {
        ok: true,
        text: output.value
          .map((part) => (part.type === "text" ? part.text : `(${part.type})`))
          .join("\n"),
      };
  }
}
