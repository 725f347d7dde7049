export const project = {
  download: "Download",
  downloads: {
    zip: "ZIP, without secrets (.env)",
    everything: "ZIP with everything",
    container: "ZIP with Dockerfile and compose file",
    markdown: "Conversation as Markdown",
    json: "Conversation as JSON",
    log: "Log (JSON Lines), to import again",
    transcript: "Transcript without keys, to replay",
  },
};
