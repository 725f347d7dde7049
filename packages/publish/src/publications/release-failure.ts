/** Why a release could not be made ready: a sentence for people, and the end of what a command printed. */
export class ReleaseFailure extends Error {
  override readonly name = "ReleaseFailure";
  readonly output: string | undefined;
  constructor(message: string, output?: string) {
    super(message);
    this.output = output;
  }
}
