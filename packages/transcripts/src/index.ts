export { importLog, logLines } from "./log/log-lines.ts";
export { conversationMarkdown } from "./log/markdown.ts";
export { TAKEN } from "./log/taken-events.ts";
export { readRecording, recordRun } from "./recordings/kept-recordings.ts";
export type { Recording, RecordingHead } from "./recordings/types.ts";
export { type ReplayDifference, transcriptDifferences } from "./turns/differences.ts";
export {
  type FileContents,
  readTranscript,
  type Transcript,
  type TranscriptAnswer,
  type TranscriptCall,
  TranscriptError,
  transcriptLines,
  type TranscriptTurn,
} from "./turns/transcript.ts";
