export const verdict = {
  working: "Working",
  waiting: "Waiting for you",
  verified: "Verified",
  runs: "Runs",
  failed: "Failed",
  unverified: "Not verified",
  new: "New",
};
