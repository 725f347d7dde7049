import { asSentence, type Sentence } from "@treadle/protocol/sentences";

/** Why a release could not be made ready, and the end of what a command printed. */
export class ReleaseFailure extends Error {
  override readonly name = "ReleaseFailure";
  readonly output: string | undefined;
  readonly sentence: Sentence;
  /** @param reason a plain text is a program's own message, which has no code */
  constructor(reason: string | Sentence, output?: string) {
    const sentence = asSentence(reason);
    super(sentence.text);
    this.sentence = sentence;
    this.output = output;
  }
}
