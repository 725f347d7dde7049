/** The reason that a run's signal is aborted with when its time is over. */
export class DeadlineReached extends Error {
  constructor() {
    super("The time of this run is over.");
    this.name = "DeadlineReached";
  }
}
