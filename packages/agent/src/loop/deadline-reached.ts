/** The reason that a run's signal is aborted with when its time is over. */
export class DeadlineReached extends Error {
  constructor() {
    super("This run's time is up.");
    this.name = "DeadlineReached";
  }
}
