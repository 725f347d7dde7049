import { playModel, type Model, type RecordedWork } from "@treadle/agent";
import { isForeignTool, mayRunCommands, toolEntry } from "@treadle/protocol/tools";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ModelSettings } from "@treadle/model-settings";
import type { Transcript, TranscriptCall, TranscriptTurn } from "@treadle/transcripts";

/** The model of a replay, and the recorded outside results of its turns. */
export interface Player {
  models: ModelSettings;
  /** Starts to give the answers of this turn, from its first. */
  begin(turn: TranscriptTurn): void;
  /**
   * The turn's recorded results, used instead of running commands, opening pages and web requests.
   */
  work: RecordedWork;
  /** Number of answers of the turn that were not used. */
  left(): number;
}

export function createPlayer(transcript: Transcript): Player {
  let turn: TranscriptTurn | undefined;
  let exchanges: TranscriptTurn["exchanges"] = [];
  let looks: TranscriptTurn["looks"] = [];
  let calls = new Map<string, TranscriptCall[]>();

  const models: ModelSettings = {
    chosen: async () => (turn ?? transcript.turns[0])?.model.id,
    async resolve(id) {
      const known = turn?.model.id === id ? turn : undefined;
      const { model } = known ?? transcript.turns.find((one) => one.model.id === id) ?? {};
      if (!model)
        throw new ApiFailure(400, "model-unknown", sentence("recording-without-model", { id }));
      const { provider, modelId, ...facts } = model;
      const languageModel = playModel({ provider, modelId }, (kind) => {
        const at = exchanges.findIndex((one) => one.kind === kind);
        return at < 0 ? undefined : exchanges.splice(at, 1)[0]!.answer;
      });
      return { ...facts, languageModel } as Model;
    },
    demoPrompt: () => "",
    info: async () => ({ providers: [], demos: [] }),
    async forget() {},
    async setSees() {},
    async setThinking() {},
    async setCache() {},
    async choose() {},
    async setKey() {},
    async removeKey() {},
    async test() {},
  };
  return {
    models,
    begin(next) {
      turn = next;
      exchanges = [...next.exchanges];
      looks = [...next.looks];
      calls = Map.groupBy(next.calls, ({ tool }) => tool);
    },
    work: {
      result(tool) {
        // Each call advances the queue of its name, so that the next one gets its own recorded
        // result.
        const call = calls.get(tool)?.shift();
        if (!call || !isOutside(tool)) return undefined;
        const { status, title, result } = call;
        return status === "ok" || status === "error"
          ? { ok: status === "ok", title, result }
          : undefined;
      },
      evidence: () => looks.shift(),
    },
    left: () => exchanges.length,
  };
}

/** Whether a call depends on more than the project's files, so that its result varies. */
function isOutside(tool: string): boolean {
  if (isForeignTool(tool)) return true;
  const entry = toolEntry(tool);
  if (!entry || entry.kind === "scaffolds") return false;
  return mayRunCommands(entry.kind) || entry.about === "url";
}
