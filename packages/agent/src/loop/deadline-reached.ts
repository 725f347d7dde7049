/** The abort reason of a run that exceeded its time limit. */
export class DeadlineReached extends Error {
  constructor() {
    super("This run's time is up.");
    this.name = "DeadlineReached";
  }
}
