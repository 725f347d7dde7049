/** The store for outputs that are longer than the model is shown. */
export interface OutputPort {
  /**
   * Saves a text under a name valid for `isOutputName`. Resolves with whether it was saved; never
   * rejects.
   */
  save(name: string, text: string): Promise<boolean>;
  /** Undefined if it is not stored, or no longer. Never rejects. */
  read(name: string): Promise<string | undefined>;
}
