export const verdict = {
  working: "Working",
  waiting: "Waiting for you",
  verified: "Verified",
  failed: "Failed",
  unverified: "Not verified",
  new: "New",
};
