import type { Sentence } from "@treadle/protocol/sentences";

/** Why a notification was not delivered. */
export class DeliveryFailure extends Error {
  readonly sentence: Sentence;
  /** Whether a later attempt would fail as well. */
  readonly isFinal: boolean;
  constructor(sentence: Sentence, { isFinal }: { isFinal: boolean }) {
    super(sentence.text);
    this.name = "DeliveryFailure";
    this.sentence = sentence;
    this.isFinal = isFinal;
  }
}
