export const verdict = {
  working: "Working",
  waiting: "Waits for you",
  verified: "Verified",
  failed: "Failed",
  unverified: "Not verified",
  new: "New",
};
