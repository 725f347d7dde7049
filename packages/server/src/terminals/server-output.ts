/** What the project's server printed: what is kept, and then live, until the returned function is called. */
export interface ServerOutput {
  past(): string;
  onData(listener: (text: string) => void): () => void;
}
