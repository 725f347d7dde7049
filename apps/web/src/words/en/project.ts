export const project = {
  download: "Download",
  downloads: {
    zip: "ZIP, without secrets (.env)",
    everything: "ZIP with everything",
    markdown: "Conversation as Markdown",
    json: "Conversation as JSON",
    log: "Log (JSON Lines), to take in again",
  },
};
