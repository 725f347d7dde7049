import { asSentence, type CodedText, type Sentence } from "@treadle/protocol/sentences";

/** Why a release could not be made ready: a sentence for people, and the end of what a command printed. */
export class ReleaseFailure extends Error {
  override readonly name = "ReleaseFailure";
  readonly output: string | undefined;
  /** What `message` says; undefined for the words of a program. */
  readonly coded: CodedText | undefined;
  constructor(message: string | Sentence, output?: string) {
    const { text, coded } = asSentence(message);
    super(text);
    this.coded = coded;
    this.output = output;
  }
}

/** Why something failed, as a sentence; words of a program stay as they are. */
export const failureSentence = (error: Error): Sentence => ({
  text: error.message,
  coded: error instanceof ReleaseFailure ? error.coded : undefined,
});
