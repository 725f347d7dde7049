/** Where outputs are kept that are longer than what the model is shown of them. */
export interface OutputPort {
  /** Keeps a text under a name that `outputName` knows. Resolves with whether it is kept; never rejects. */
  save(name: string, text: string): Promise<boolean>;
  /** Undefined where it is not kept, or not any more. Never rejects. */
  read(name: string): Promise<string | undefined>;
}
