import type { Review } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { listed, words } from "../words/words.ts";

/** A sentence that says who asks for what. */
export const askedWords = ({ kind, by, projectName, subject }: Review): string =>
  words.reviews.asks[kind]({
    name: visible(by.name),
    project: visible(projectName),
    what: listed(subject.what.map((text) => visible(text))),
  });

/** The state of a request, with the name of the person who answered it. */
export function stateWords({ state, answer }: Review): string {
  const text = words.reviews.states[state];
  if (!answer) return text;
  const name = visible(answer.by.name);
  return answer.standing && state === "done"
    ? words.reviews.byStanding({ name })
    : words.reviews.answeredBy({ state: text, name });
}
