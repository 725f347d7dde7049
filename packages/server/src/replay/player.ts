import { playModel, type Model, type RecordedWork } from "@treadle/agent";
import { isForeignTool, mayRunCommands, toolEntry } from "@treadle/protocol/tools";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ModelSettings } from "../models/types.ts";
import type { Transcript, TranscriptCall, TranscriptTurn } from "./transcript.ts";

/** The model of a replay, and what its turns saw outside. */
export interface Player {
  models: ModelSettings;
  /** From now on the answers of this turn are given, from its first. */
  begin(turn: TranscriptTurn): void;
  /** What the turn saw: given in place of running commands, opening pages and asking the web. */
  work: RecordedWork;
  /** Answers of the turn that were not asked for. */
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
        // Each call counts, so that the next of its name is answered with what was recorded of that one.
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

/** Whether a call asks more than the project's files: what it gives is not the same at any time and place. */
function isOutside(tool: string): boolean {
  if (isForeignTool(tool)) return true;
  const entry = toolEntry(tool);
  if (!entry || entry.kind === "scaffolds") return false;
  return mayRunCommands(entry.kind) || entry.about === "url";
}
