/**
 * An event of Google's `streamGenerateContent?alt=sse`: each call arrives complete, in one event.
 */
const event = (value: unknown) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const content = (parts: unknown[], more: object = {}) =>
  event({
    candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
    modelVersion: "gemini",
    responseId: "r",
  });
const USAGE = {
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
};

export const GOOGLE_STREAM = (written: string, command: string): string =>
  [
    content([{ text: "Hm.", thought: true }]),
    content([{ text: "Now: “é”." }]),
    content([
      {
        functionCall: { name: "write_file", args: { path: "index.html", content: written } },
        thoughtSignature: "c2ln",
      },
    ]),
    content([{ functionCall: { name: "run_command", args: { command } } }]),
    event({
      candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP" }],
      ...USAGE,
    }),
  ].join("");

export const GOOGLE_WORDS: string = event({
  candidates: [
    { content: { parts: [{ text: "Done." }], role: "model" }, finishReason: "STOP", index: 0 },
  ],
  ...USAGE,
});

/** A text answer, complete or cut at the output limit. */
export const googleCut = (text: string, isCut: boolean): string =>
  content([{ text: text.slice(0, text.length / 2) }]) +
  event({
    candidates: [
      {
        content: { parts: [{ text: text.slice(text.length / 2) }], role: "model" },
        finishReason: isCut ? "MAX_TOKENS" : "STOP",
        index: 0,
      },
    ],
    ...USAGE,
  });
