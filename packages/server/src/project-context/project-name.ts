import { headOf } from "@treadle/protocol/safe-text";
/** Maximum length of a project's name, in characters. */
export const NAME_LIMIT = 80;
const TITLE_LIMIT = 40;

/** Normalizes a name to one line without invisible or bidirectional control characters. May return an empty string. */
export function plainName(text: string): string {
  // The zero-width joiner is kept, as emoji sequences contain it.
  return text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cs}]|(?!\u200d)\p{Cf}/gu, "")
    .trim();
}

/** Phrases before the actual request, in the most frequent languages. */
const OPENING =
  /^(?:please|pls|hi|hello|hey|can you|could you|would you|i want you to|i want|i need|i'd like|let's|help me|to|and|,|bitte|hallo|kannst du|könntest du|ich möchte|ich will|ich brauche|s'il te plaît|s'il vous plaît|bonjour|je veux|je voudrais|por favor|hola|olá|quiero|necesito|quero|preciso de|per favore|ciao|voglio|vorrei|alsjeblieft|graag|ik wil)[\s,!]+/i;
const VERB = new RegExp(
  `^(?:${[
    "(?:build|make|create|write|develop|design|generate|implement|code|give|add)(?:\\s+(?:me|us))?",
    "(?:baue?|erstelle?|mache?|schreibe?|entwickle|programmiere?|gestalte|entwirf|generiere)(?:\\s+(?:mir|uns))?",
    "(?:crée|créez|fais|faites|construis|construisez|écris|écrivez|développe|développez|génère|générez)(?:[-\\s](?:moi|nous))?",
    "(?:crea|créa|haz|construye|escribe|desarrolla|genera|costruisci|fai|scrivi|sviluppa|crie|cria|faça|faz|construa|escreva|desenvolva)(?:me|mi|nos)?",
    "(?:bouw|maak|schrijf|ontwikkel)(?:\\s+(?:mij|me|ons))?",
  ].join("|")})\\s+`,
  "i",
);
const ARTICLE =
  /^(?:an?|the|some|my|our|eine?|einen|einem|einer|das|die|der|den|meine?n?|une?|les?|la|mon|ma|un|el|una|uno|il|lo|uma?|um|o|het|een|de|mijn)\s+|^l['’](?=\p{L})/iu;
/** Texts that begin with a demonstrative, which are no names. */
const POINTING =
  /^(?:(?:it|this|that|these|those|them|es|dies(?:e[srn]?)?|ihn|sie|ça|cela|ceci|esto|eso|questo|quello|isso|isto|dit|dat)(?:\s|$)|(?:one|something|again|etwas|das|le|la|les|lo|los|las)$)/i;

/** A short name for a project, from its first prompt: "Build a todo app" gives "Todo app". Never empty. */
export function titleOf(prompt: string): string {
  // Only the start is examined: a prompt may be 200,000 characters long.
  let text = plainName(headOf(prompt, 400));
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replace(OPENING, "");
  }
  const clause = firstClause(text);
  text = firstClause(text.replace(VERB, "").replace(ARTICLE, ""));
  if (POINTING.test(text)) text = clause;
  text = cutAtWord(text, TITLE_LIMIT);
  if (text === "") return "New project";
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The name of the checkpoint that a turn ends with: the beginning of its message, on one line. May be empty. */
export const titleOfTurn = (message: string): string =>
  cutAtWord(plainName(headOf(message, 400)), NAME_LIMIT);

/** Shortens a line to `limit` characters and an ellipsis, at a word unless that would lose half of it. */
function cutAtWord(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const cut = headOf(line, limit + 1);
  return `${headOf(cut, Math.max(cut.lastIndexOf(" "), limit / 2)).trim()}…`;
}

const firstClause = (text: string) =>
  text.split(/[.!?;:。！？؟\n]|,\s|\s(?:that|which|where|with|using|so that)\s/i)[0]?.trim() ?? "";
