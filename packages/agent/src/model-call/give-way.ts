import { answerOverflow } from "../context/compaction/keep-fit.ts";
import { retellAsText, settleRetelling } from "../context/compaction/retell-as-text.ts";
import { putBeforeReply } from "../context/conversation/conversation.ts";
import { noteMessage } from "../context/conversation/note-message.ts";
import { speakArtifacts } from "../dialects/spoken-model.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import { refusesTemperature, refusesTools } from "../models/errors/refuses-tools.ts";
import { refusesCache } from "../models/errors/refuses-cache.ts";
import { refusesThinking } from "../models/errors/refuses-thinking.ts";
import { learnHabits } from "../models/habits/observed-model.ts";
import { forgoPictures } from "../models/habits/forgo-pictures.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { clipLine } from "../text/clip.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import { type ForeignTool, withoutSchema } from "../tools/foreign-tools.ts";
import type { ModelRequest } from "./model-request.ts";

/** Statuses with which a request is rejected for its content; an error within a stream has none. */
const OF_CONTENT = new Set<number | undefined>([400, 404, 422, undefined]);

/**
 * Gives up a part of the request that the model or its server rejected, the smallest part first: temperature, thinking,
 * cache marks, tool calls, pictures, an external tool, the length of the conversation, and finally its form. Resolves
 * with whether the model can be asked again at once. Each part is given up at most once in a run, or a limited number
 * of times.
 */
export async function giveWay(
  asking: ModelRequest,
  failure: ModelFailure,
  hadPictures: boolean,
  scope: RunScope,
): Promise<boolean> {
  const { model, fit } = asking;
  settleRetelling(fit, false, scope);
  if (model.sendsTemperature && refusesTemperature(failure)) {
    model.sendsTemperature = false;
    return true;
  }
  if (model.sendsThinking && refusesThinking(failure)) {
    model.sendsThinking = false;
    learnHabits(model, { ...model.model.habits, thinking: "refused" });
    return true;
  }
  if (model.model.cache !== "refused" && refusesCache(failure)) {
    model.model.cache = "refused";
    learnHabits(model, { ...model.model.habits, cache: "refused" });
    return true;
  }
  if (model.dialect === "native" && refusesTools(failure)) {
    speakArtifacts(model);
    return true;
  }
  if (failure.refusesPictures && hadPictures) {
    forgoPictures(model, scope);
    return true;
  }
  if (failure.code === "context-overflow") return answerOverflow(fit, scope);
  if (failure.code !== "provider-refused" || !OF_CONTENT.has(failure.status)) return false;
  return forgoTools(asking, failure, scope) || retellAsText(fit, scope);
}

/** Matches how a provider names a rejected tool: by its index among all that were sent. */
const PLACE = /\b(?:function_?declarations|tools|functions)(?:\[|\.)(\d+)/gi;
const OF_TOOLS =
  /\b(?:tools?|functions?|function_?declarations?|input_?schema|json ?schema|parameters)\b/i;

/** Sends the rejected tools without their schemas, and after that not at all. Returns whether there was any. */
function forgoTools(asking: ModelRequest, failure: ModelFailure, scope: RunScope): boolean {
  const words = failure.words ?? failure.message;
  if (asking.model.dialect !== "native" || !OF_TOOLS.test(words)) return false;
  const refused = refusedTools(asking.foreign, words);
  if (refused.size === 0) return false;
  const left: ForeignTool[] = [];
  asking.foreign = asking.foreign.flatMap((tool) => {
    if (!refused.has(tool)) return [tool];
    const bare = withoutSchema(tool);
    if (!bare) left.push(tool);
    return bare ? [bare] : [];
  });
  if (left.length > 0) tellLeft(asking, left, words, scope);
  return true;
}

/**
 * The external tools that an error refers to by name or by index; all of them if it names none of the built-in ones.
 */
function refusedTools(foreign: readonly ForeignTool[], words: string): Set<ForeignTool> {
  const named = foreign.filter(({ name }) => words.includes(name));
  if (named.length > 0) return new Set(named);
  // Google counts within one list of functions: the innermost index is the tool's.
  const places = [...words.matchAll(PLACE)].map(([, place]) => Number(place) - ALL_TOOLS.length);
  const place = places.at(-1);
  if (place === undefined) {
    const isOurs = ALL_TOOLS.some(({ name }) => new RegExp(`\\b${name}\\b`).test(words));
    return new Set(isOurs ? [] : foreign);
  }
  const found = foreign[place];
  return new Set(found ? [found] : []);
}

/** Reports the tools that are left out to the person and to the model. */
function tellLeft(
  { fit, model }: ModelRequest,
  left: readonly ForeignTool[],
  words: string,
  { run, emit }: RunScope,
): void {
  const provider = model.model.providerName ?? model.model.id;
  const servers = left.map(({ origin }) => ({
    name: origin.server,
    why: `${provider} refuses its tool ${origin.tool}, which is left out in this turn: ${clipLine(words, 200)}`,
  }));
  emit({ type: "tools-missing", run, servers });
  const names = left.map(({ name }) => name).join(", ");
  const note = noteMessage(
    `${run}.left-out-${fit.budget.steps}-${names.length}`,
    "continue",
    `Left out in this turn, because they cannot be offered to you: ${names}.`,
  );
  putBeforeReply(fit.conversation, note);
}
